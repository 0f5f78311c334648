#include "schema/json.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_set>

#include "schema/refusal.h"
#include "schema/text.h"

namespace promenade::schema {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void append_utf8(std::string* out, std::uint32_t code) {
  if (code < 0x80) {
    out->push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out->push_back(static_cast<char>(0xc0 | (code >> 6)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else if (code < 0x10000) {
    out->push_back(static_cast<char>(0xe0 | (code >> 12)));
    out->push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3f)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else {
    out->push_back(static_cast<char>(0xf0 | (code >> 18)));
    out->push_back(static_cast<char>(0x80 | ((code >> 12) & 0x3f)));
    out->push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3f)));
    out->push_back(static_cast<char>(0x80 | (code & 0x3f)));
  }
}

constexpr std::size_t kLongestKey = 200;  // bytes of a key path in an error

class Parser {
 public:
  Parser(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  Result<JsonValue> run() {
    if (text_.size() > limits_.max_bytes) {
      fail("", std::to_string(text_.size()) + " bytes are too many",
           "at most " + std::to_string(limits_.max_bytes));
      return *error_;
    }
    at_ = line_begin_ = mark_size(text_);
    JsonValue value;
    bool read = parse_value(&value, 0);
    if (read) skip_space();
    if (read && at_ < text_.size()) {
      read = fail(here(), "unexpected " + here() + " after the end", "nothing after it");
    }
    return read ? Result<JsonValue>(std::move(value)) : explained();
  }

 private:
  /// The error, unless there is a better reason for it: the text is none. CR is white space here.
  FileError explained() const {
    const auto fault = encoding_fault(text_);
    return fault ? *fault : *error_;
  }
  bool fail(std::string value, std::string message, std::string allowed) {
    if (!error_) {
      error_ = FileError{"",
                         line_,
                         shortened(path_, kLongestKey),
                         std::move(value),
                         std::move(allowed),
                         std::move(message),
                         column()};
    }
    return false;
  }
  /// Column of the present place, in characters from 1: bytes that continue a UTF-8 character do
  /// not count.
  int column() const {
    const std::string_view before =
        text_.substr(line_begin_, std::min(at_, text_.size()) - line_begin_);
    return 1 + static_cast<int>(std::count_if(before.begin(), before.end(), [](char c) {
             return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
           }));
  }
  bool unexpected(const std::string& allowed) {
    return fail(here(), "unexpected " + here(), allowed);
  }

  /// The text at the present place, for messages.
  std::string here() const {
    if (at_ >= text_.size()) return "end of text";
    const char c = text_[at_];
    if (is_word(c) || c == '-' || c == '+') {
      std::size_t end = at_ + 1;
      while (end < text_.size() && end - at_ < 24 && (is_word(text_[end]) || text_[end] == '.')) {
        ++end;
      }
      return std::string(text_.substr(at_, end - at_));
    }
    if (c > ' ' && c < 0x7f) return std::string("'") + c + "'";
    return "byte " + std::to_string(static_cast<unsigned char>(c));
  }

  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_begin_ = at_ + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    const std::size_t end = at_ + word.size();
    if (end < text_.size() && is_word(text_[end])) return false;
    at_ = end;
    return true;
  }

  bool parse_value(JsonValue* out, int depth) {
    skip_space();
    out->line = line_;
    out->begin = at_;
    if (at_ >= text_.size()) return unexpected("a value");
    const char c = text_[at_];
    if (c == '{' || c == '[') {
      if (depth >= limits_.max_depth) {
        return fail(std::to_string(depth + 1) + " deep", "nested too deep",
                    "at most " + std::to_string(limits_.max_depth) + " deep");
      }
      return c == '{' ? parse_object(out, depth) : parse_array(out, depth);
    }
    if (c == '"') {
      out->kind = JsonValue::Kind::kString;
      return parse_string(&out->text);
    }
    if (c == '-' || is_digit(c)) return parse_number(out);
    if (take_word("true") || take_word("false")) {
      out->kind = JsonValue::Kind::kBool;
      out->boolean = c == 't';
      return true;
    }
    if (take_word("null")) return true;
    if (here() == "NaN" || here() == "Infinity") return not_finite();
    return unexpected("a value");
  }

  bool not_finite() { return fail(here(), here() + " is not allowed", "a finite number"); }

  bool parse_number(JsonValue* out) {
    const std::size_t start = at_;
    if (here() == "-Infinity" || here() == "-NaN") return not_finite();
    take('-');
    if (take('0')) {
      if (at_ < text_.size() && is_digit(text_[at_])) return bad_number(start);
    } else if (!take_digits()) {
      return bad_number(start);
    }
    if (take('.') && !take_digits()) return bad_number(start);
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!take_digits()) return bad_number(start);
    }
    if (at_ < text_.size() && is_word(text_[at_])) return bad_number(start);
    out->kind = JsonValue::Kind::kNumber;
    out->text = text_.substr(start, at_ - start);
    return true;
  }
  bool take_digits() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ > start;
  }
  bool bad_number(std::size_t start) {
    at_ = start;
    return fail(here(), here() + " is not a number", "a number as in -1.5e3");
  }

  bool parse_string(std::string* out) {
    ++at_;  // the opening quote
    while (true) {
      if (at_ >= text_.size()) return unexpected("a closing '\"'");
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\\') {
        if (!parse_escape(out)) return false;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        return fail(here(), "a line break or control character within a string", "written as \\n");
      } else {
        const std::size_t length = utf8_length(text_.substr(at_));
        if (length == 0) return fail(here(), "text is not UTF-8", "UTF-8");
        out->append(text_.substr(at_, length));
        at_ += length;
      }
    }
  }

  bool parse_escape(std::string* out) {
    ++at_;  // the backslash
    if (at_ >= text_.size()) return unexpected("an escape");
    switch (text_[at_++]) {
      case '"':
        out->push_back('"');
        return true;
      case '\\':
        out->push_back('\\');
        return true;
      case '/':
        out->push_back('/');
        return true;
      case 'b':
        out->push_back('\b');
        return true;
      case 'f':
        out->push_back('\f');
        return true;
      case 'n':
        out->push_back('\n');
        return true;
      case 'r':
        out->push_back('\r');
        return true;
      case 't':
        out->push_back('\t');
        return true;
      case 'u':
        break;
      default:
        --at_;
        return fail(here(), "unknown escape", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
    }
    const std::size_t digits = at_;
    std::uint32_t code = 0;
    if (!parse_hex(&code)) return false;
    const auto half = [&] {
      at_ = digits;
      return fail(std::string(text_.substr(digits, 4)), "half of a surrogate pair",
                  "a pair of \\u escapes");
    };
    if (code >= 0xd800 && code < 0xdc00) {  // the first half of a pair
      std::uint32_t low = 0;
      if (!take('\\') || !take('u') || !parse_hex(&low) || low < 0xdc00 || low > 0xdfff) {
        return half();
      }
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
      return half();
    }
    append_utf8(out, code);
    return true;
  }
  bool parse_hex(std::uint32_t* code) {
    *code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      if (at_ >= text_.size()) return unexpected("four hexadecimal digits");
      const char c = text_[at_];
      int digit = -1;
      if (is_digit(c)) digit = c - '0';
      if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
      if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
      if (digit < 0) return unexpected("four hexadecimal digits");
      *code = *code * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  bool parse_array(JsonValue* out, int depth) {
    out->kind = JsonValue::Kind::kArray;
    ++at_;
    skip_space();
    if (take(']')) return true;
    const std::size_t path_size = path_.size();
    while (true) {
      path_.append("[").append(std::to_string(out->items.size())).append("]");
      out->items.emplace_back();
      if (!parse_value(&out->items.back(), depth + 1)) return false;
      path_.resize(path_size);
      skip_space();
      if (take(']')) return true;
      if (!take(',')) return unexpected("',' or ']'");
    }
  }

  bool parse_object(JsonValue* out, int depth) {
    out->kind = JsonValue::Kind::kObject;
    ++at_;
    skip_space();
    if (take('}')) return true;
    const std::size_t path_size = path_.size();
    std::unordered_set<std::string> seen;
    while (true) {
      skip_space();
      if (at_ >= text_.size() || text_[at_] != '"') return unexpected("a key in quotes");
      out->members.emplace_back();
      JsonMember& member = out->members.back();
      member.line = line_;
      const std::size_t key_at = at_;
      if (!parse_string(&member.key)) return false;
      path_ += (path_.empty() ? "" : ".") + member.key;
      if (!seen.insert(member.key).second) {
        at_ = key_at;
        return fail(shortened(member.key), "the key is given twice", "given once");
      }
      skip_space();
      if (!take(':')) return unexpected("':'");
      if (!parse_value(&member.value, depth + 1)) return false;
      path_.resize(path_size);
      skip_space();
      if (take('}')) return true;
      if (!take(',')) return unexpected("',' or '}'");
    }
  }

  std::string_view text_;
  const JsonLimits limits_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_begin_ = 0;
  std::string path_;
  std::optional<FileError> error_;
};

}  // namespace

std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string JsonValue::brief() const {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return boolean ? "true" : "false";
    case Kind::kNumber:
      return shortened(text);
    case Kind::kString:
      return in_quotes(text);
    case Kind::kArray:
      return "an array of " + std::to_string(items.size());
    case Kind::kObject:
      return "an object";
  }
  return "";
}

Result<JsonValue> parse_json(std::string_view text, const JsonLimits& limits) {
  return Parser(text, limits).run();
}

}  // namespace promenade::schema
