#include "service/utc.h"

#include <chrono>
#include <cstdio>
#include <ctime>

namespace promenade::service {

std::int64_t utc_now_ms() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             system_clock::now().time_since_epoch())
      .count();
}

std::string utc_text(std::int64_t ms) {
  const auto seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char day[32], text[40];
  std::strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text, sizeof text, "%s.%03dZ", day, static_cast<int>(ms % 1000));
  return text;
}

std::optional<std::int64_t> utc_ms(const std::string& text) {
  std::tm parts{};
  const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  int ms = 0;
  if (!rest || std::sscanf(rest, ".%3dZ", &ms) != 1) return std::nullopt;
  return std::int64_t{1000} * timegm(&parts) + ms;
}

}  // namespace promenade::service
