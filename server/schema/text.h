#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "schema/error.h"

// Text that people give. It is UTF-8 with lines that end in LF or CR LF, everywhere: settings,
// tokens, JSON (message_from_json() with a file's name), lines of commands, journals, logs of
// searches. JSON that is no file may have CR for white space.
namespace promenade::schema {

/// Bytes of a UTF-8 byte-order mark at the start of a text: 3, or 0 where there is none. The mark
/// is allowed and means nothing; some editors write it.
std::size_t mark_size(std::string_view text);

/// Bytes of the UTF-8 character at the start of `text`; 0 if it is not one (RFC 3629).
/// @pre the text is not empty
std::size_t utf8_length(std::string_view text);

/// Why bytes cannot be UTF-8 text: they are UTF-16 or UTF-32, or have a NUL byte. With the line.
std::optional<FileError> encoding_fault(std::string_view text);

/// Why bytes are not such a text, with the line: encoding_fault(), a byte that is not UTF-8, or a
/// carriage return without a line feed, as old Macs ended lines. A last CR may be one whose LF was
/// cut off.
std::optional<FileError> text_fault(std::string_view text);

/// The text of a file without a byte-order mark. Refuses what is not a regular file, larger than
/// `max_bytes`, or not such a text, with file and line.
Result<std::string> read_text(const std::filesystem::path& path, std::size_t max_bytes = 1 << 20);

}  // namespace promenade::schema
