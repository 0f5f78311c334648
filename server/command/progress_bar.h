#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

namespace promenade::command {

/// A bar on standard error that overwrites itself; silent where that is no terminal, unless forced.
class ProgressBar {
 public:
  ProgressBar(std::string what, bool forced)
      : what_(std::move(what)), on_(forced || isatty(STDERR_FILENO)) {}
  ~ProgressBar() { clear(); }

  /// @param note  shown behind the bar, as in "3.1 x real time"
  void show(double done, double all, const std::string& note = "") {
    const auto now = std::chrono::steady_clock::now();
    if (!on_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    constexpr int kWidth = 30;
    const double share = all > 0 ? std::clamp(done / all, 0.0, 1.0) : 0;
    const int filled = int(share * kWidth);
    std::fprintf(stderr, "\r%s [%s%s] %3.0f %%  %s\033[K", what_.c_str(),
                 std::string(std::size_t(filled), '#').c_str(),
                 std::string(std::size_t(kWidth - filled), '.').c_str(), 100 * share, note.c_str());
    std::fflush(stderr);
    shown_ = true;
  }
  void clear() {
    if (shown_) std::fprintf(stderr, "\r\033[K");
    shown_ = false;
  }

 private:
  std::string what_;
  bool on_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace promenade::command
