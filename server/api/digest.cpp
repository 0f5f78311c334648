#include "api/digest.h"

#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <sys/random.h>

#include <cassert>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <vector>

namespace promenade::api {
namespace {

int value_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

Digest digest_of(std::string_view salt, std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  const auto add = [&context](std::string_view part) {
    sha256_update(&context, part.size(), reinterpret_cast<const std::uint8_t*>(part.data()));
  };
  add(salt);
  add(std::string_view("\0", 1));
  add(text);
  Digest digest;
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

std::optional<Digest> digest_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  sha256_ctx context;
  sha256_init(&context);
  std::vector<char> piece(std::size_t{1} << 20);
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    sha256_update(&context, static_cast<std::size_t>(in.gcount()),
                  reinterpret_cast<const std::uint8_t*>(piece.data()));
  }
  if (!in.eof()) return std::nullopt;
  Digest digest;
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

bool equal_digests(const Digest& a, const Digest& b) {
  return memeql_sec(a.data(), b.data(), a.size()) != 0;
}

std::string hex_of(const Digest& digest, std::size_t bytes) {
  assert(bytes <= digest.size());
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

std::optional<Digest> digest_from_hex(std::string_view text) {
  Digest digest;
  if (text.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const int high = value_of(text[2 * i]), low = value_of(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    digest[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return digest;
}

std::string random_hex(std::size_t bytes) {
  Digest noise{};
  assert(bytes <= noise.size());
  // Up to 256 bytes come whole; an early boot may interrupt the call.
  ssize_t got;
  do {
    got = getrandom(noise.data(), bytes, 0);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(bytes)) {
    throw std::system_error(errno, std::generic_category(), "no random numbers");
  }
  return hex_of(noise, bytes);
}

}  // namespace promenade::api
