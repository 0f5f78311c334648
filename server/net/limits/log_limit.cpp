#include "net/limits/log_limit.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace promenade::net {
namespace {

std::string with_count(const std::string& text, std::uint64_t left_out) {
  return left_out == 0 ? text : text + " (and " + std::to_string(left_out) + " like it before)";
}

}  // namespace

LogLimit::Verdict LogLimit::ask(std::string_view kind, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  auto found = kinds_.find(kind);
  if (found == kinds_.end()) {
    found = kinds_.emplace(kind, State{TokenBucket(per_second_, at_once_, now)}).first;
  }
  State& state = found->second;
  if (state.bucket.take(now)) return {true, std::exchange(state.left_out, 0)};
  ++state.left_out;
  return {};
}

void LogLimit::info(std::string_view kind, const std::string& text) {
  if (const Verdict v = ask(kind, Clock::now()); v.write)
    spdlog::info(with_count(text, v.left_out));
}

void LogLimit::warn(std::string_view kind, const std::string& text) {
  if (const Verdict v = ask(kind, Clock::now()); v.write)
    spdlog::warn(with_count(text, v.left_out));
}

}  // namespace promenade::net
