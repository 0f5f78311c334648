#include "service/event_log.h"

#include <spdlog/spdlog.h>

#include <cstdio>

namespace promenade::service {
namespace {

constexpr std::size_t kLongest = 120;  // bytes of a value; longer ones are cut

void append_quoted(std::string_view value, std::string& out) {
  out += '"';
  for (const char c : value.substr(0, kLongest)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(c));
      out += code;
    }
  }
  if (value.size() > kLongest) out += "...";
  out += '"';
}

}  // namespace

std::string log_text(std::string_view kind, const LogFields& fields) {
  std::string text(kind);
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    text += ' ';
    text += name;
    text += '=';
    append_quoted(value, text);
  }
  return text;
}

void EventLog::note(const char* kind, const LogFields& fields) {
  const auto verdict = limit_.ask(kind, net::Clock::now());
  if (!verdict.write) return;
  std::string text = log_text(kind, fields);
  if (verdict.left_out > 0) text += " left_out=" + std::to_string(verdict.left_out);
  spdlog::info("{}", text);
}

}  // namespace promenade::service
