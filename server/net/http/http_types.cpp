#include "net/http/http_types.h"

#include <cstdio>

namespace promenade::net {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Text of a request in a form that can be quoted in JSON, which must be UTF-8.
std::string printable(std::string_view text) {
  constexpr std::size_t kShown = 80;
  std::string out;
  for (const char c : text.substr(0, kShown)) out += c >= 0x20 && c < 0x7f ? c : '?';
  return text.size() > kShown ? out + "..." : out;
}

}  // namespace

std::string_view HttpRequest::header(const std::string& lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::string json_quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      quoted += code;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

HttpResponse error_response(int status, const Refusal& refusal) {
  const std::string value = printable(refusal.value);
  const std::string message = refusal.message.empty()
                                  ? refusal.field + " is " + value + "; allowed: " + refusal.allowed
                                  : refusal.message;
  HttpResponse response;
  response.status = status;
  response.content_type = "application/json";
  response.body = "{\"error\":{\"code\":" + json_quote(refusal.code) +
                  ",\"field\":" + json_quote(refusal.field) + ",\"value\":" + json_quote(value) +
                  ",\"allowed\":" + json_quote(refusal.allowed) +
                  ",\"message\":" + json_quote(message) + "}}\n";
  return response;
}

std::string http_date(std::time_t time) {
  // Not strftime(), whose names of days and months follow the locale.
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[40];
  std::snprintf(text, sizeof text, "%s, %02d %s %d %02d:%02d:%02d GMT", kDays[utc.tm_wday],
                utc.tm_mday, kMonths[utc.tm_mon], utc.tm_year + 1900, utc.tm_hour, utc.tm_min,
                utc.tm_sec);
  return text;
}

std::optional<std::string> decode_path(std::string_view target) {
  std::string path;
  for (std::size_t i = 0; i < target.size(); ++i) {
    char c = target[i];
    if (c == '?' || c == '#') break;
    if (c == '%') {
      if (i + 2 >= target.size()) return std::nullopt;
      const int high = hex_digit(target[i + 1]), low = hex_digit(target[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(16 * high + low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
    path += c;
  }
  if (path.empty() || path.front() != '/') return std::nullopt;
  return path;
}

}  // namespace promenade::net
