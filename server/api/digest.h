#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// Secrets are kept as digests, so that neither the program's memory nor its files tell them.
namespace promenade::api {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 of `salt`, a zero byte and `text`.
Digest digest_of(std::string_view salt, std::string_view text);

/// SHA-256 of a file's bytes. @return nothing where it cannot be read
std::optional<Digest> digest_of_file(const std::filesystem::path& path);

/// Takes the same time whatever the digests are, so that it does not tell how alike they are.
bool equal_digests(const Digest& a, const Digest& b);

/// Hexadecimal digits of the first `bytes` bytes. @pre bytes <= 32
std::string hex_of(const Digest& digest, std::size_t bytes = 32);
/// The digest of 64 hexadecimal digits; nothing for any other text.
std::optional<Digest> digest_from_hex(std::string_view text);

/// Hexadecimal digits of that many bytes from the operating system's source of random numbers:
/// nobody can guess 16 of them. @pre bytes <= 32
std::string random_hex(std::size_t bytes);

}  // namespace promenade::api
