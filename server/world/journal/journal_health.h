#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>

namespace promenade::world {

/// Whether a room's journal reaches the disk. Tells once when a part of that begins to fail, and
/// once when it works again. Any thread.
class JournalHealth {
 public:
  enum class Part { kLines, kSync, kPoint };  // written, kept by the disk, states
  using Tell = std::function<void(const std::string&)>;
  explicit JournalHealth(Tell tell) : tell_(std::move(tell)) {}

  void fail(Part part, const std::string& why) { change(part, true, why); }
  void mend(Part part, const std::string& how) {
    if (failing_[std::size_t(part)]) change(part, false, how);
  }
  bool failing(Part part) const { return failing_[std::size_t(part)]; }
  /// Whether what happens is not being recorded. A state that cannot be written makes a restart
  /// slow and loses nothing, so it is none of this.
  bool failing() const { return failing(Part::kLines) || failing(Part::kSync); }

 private:
  void change(Part part, bool fails, const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (failing_[std::size_t(part)].exchange(fails) != fails && tell_) tell_(text);
  }

  const Tell tell_;
  std::mutex mutex_;
  std::array<std::atomic<bool>, 3> failing_{};
};

}  // namespace promenade::world
