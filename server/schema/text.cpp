#include "schema/text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "schema/message.h"

namespace promenade::schema {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMark = "\xef\xbb\xbf"sv;

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
}

FileError fault_at(std::string_view text, std::size_t at, std::string message,
                   std::string allowed) {
  return FileError{"", line_at(text, at), "", "", std::move(allowed), std::move(message)};
}

/// The name of another encoding than UTF-8; empty: it may be UTF-8. UTF-32 begins as UTF-16 does,
/// so it comes first.
std::string_view other_encoding(std::string_view text) {
  struct Encoding {
    std::string_view mark, name;
  };
  constexpr std::array<Encoding, 4> kMarks = {{{"\xff\xfe\0\0"sv, "UTF-32 (little-endian)"},
                                               {"\0\0\xfe\xff"sv, "UTF-32 (big-endian)"},
                                               {"\xff\xfe"sv, "UTF-16 (little-endian)"},
                                               {"\xfe\xff"sv, "UTF-16 (big-endian)"}}};
  for (const Encoding& encoding : kMarks) {
    if (text.starts_with(encoding.mark)) return encoding.name;
  }
  // Without a mark: every second byte of what a person writes in English is zero.
  const std::string_view start = text.substr(0, std::min<std::size_t>(text.size() & ~1u, 64));
  bool little = start.size() >= 4, big = little;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const bool zero = start[i] == '\0', even = i % 2 == 0;
    little &= zero != even;
    big &= zero == even;
  }
  return little ? "UTF-16 (little-endian)"sv : big ? "UTF-16 (big-endian)"sv : ""sv;
}

}  // namespace

std::size_t mark_size(std::string_view text) { return text.starts_with(kMark) ? kMark.size() : 0; }

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return continues(1) ? 2 : 0;
  if (first < 0xf0) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80, high = first == 0xed ? 0x9f : 0xbf;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  const unsigned low = first == 0xf0 ? 0x90 : 0x80, high = first == 0xf4 ? 0x8f : 0xbf;
  return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
}

std::optional<FileError> encoding_fault(std::string_view text) {
  if (const std::string_view name = other_encoding(text); !name.empty()) {
    return FileError{"", 1, "", "", "saved as UTF-8", "the text is " + std::string(name)};
  }
  const std::size_t zero = text.find('\0');
  if (zero == text.npos) return std::nullopt;
  return fault_at(text, zero, "a NUL byte stands in the text", "text without it");
}

std::optional<FileError> text_fault(std::string_view text) {
  if (auto fault = encoding_fault(text)) return fault;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\r' && at + 1 < text.size() && text[at + 1] != '\n') {
      return fault_at(text, at, "a carriage return (CR) without a line feed (LF)",
                      "LF or CR LF at the end of each line");
    }
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) {
      return fault_at(text, at,
                      "byte " + std::to_string(static_cast<unsigned char>(c)) + " is not UTF-8",
                      "saved as UTF-8");
    }
    at += length;
  }
  return std::nullopt;
}

Result<std::string> read_text(const std::filesystem::path& path, std::size_t max_bytes) {
  auto text = read_file(path, max_bytes);
  if (!text) return text;
  if (auto fault = text_fault(*text)) {
    fault->file = path.string();
    return *std::move(fault);
  }
  text->erase(0, mark_size(*text));
  return text;
}

}  // namespace promenade::schema
