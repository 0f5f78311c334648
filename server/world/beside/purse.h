#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <string>
#include <unordered_map>

namespace promenade::world {

/// Processor time that somebody may use: it comes in at a steady rate, and some of it may be saved.
/// A payer that has used more than there was waits until that is made up for.
class Purse {
 public:
  using Clock = std::chrono::steady_clock;
  /// How a purse fills.
  struct Law {
    double rate = 0;  // s of a processor a second; 0: the purse is never empty
    double most = 0;  // s of a processor that may be saved; a new purse has that
  };

  Purse(const Law& law, Clock::time_point now) : saved_(law.most), at_(now) {}

  void fill(const Law& law, Clock::time_point now) {
    const double passed = std::chrono::duration<double>(now - at_).count();
    if (passed <= 0) return;
    at_ = now;
    saved_ = std::min(law.most, saved_ + law.rate * passed);
  }
  void charge(double seconds) { saved_ -= seconds; }
  /// s of a processor; below 0: to be made up for.
  double saved() const { return saved_; }

 private:
  double saved_;
  Clock::time_point at_;
};

/// A purse for each payer. Purses that are full again are forgotten, as a new one would be the
/// same.
class Purses {
 public:
  static constexpr double kLongestWait = 3600;  // s, before somebody looks again
  static constexpr std::size_t kMost = 4096;    // beyond so many, payers share one purse

  explicit Purses(const Purse::Law& law) : law_(law) {}

  /// s of a processor that the payer has now. The room itself, which has no name, always has some.
  double saved(const std::string& payer, Purse::Clock::time_point now) {
    if (law_.rate <= 0 || payer.empty()) return 1;
    const auto found = purses_.find(key(payer));
    if (found == purses_.end()) return law_.most;
    found->second.fill(law_, now);
    return found->second.saved();
  }
  void charge(const std::string& payer, double seconds, Purse::Clock::time_point now) {
    if (law_.rate <= 0 || payer.empty()) return;
    if (purses_.size() >= kMost) forget_full(now);
    Purse& purse = purses_.try_emplace(key(payer), law_, now).first->second;
    purse.fill(law_, now);
    purse.charge(seconds);
  }
  /// When a payer that has nothing will have something.
  Purse::Clock::time_point opens(const std::string& payer, Purse::Clock::time_point now) {
    const double lacks = -saved(payer, now);
    if (lacks < 0) return now;
    const double wait = std::min(lacks / law_.rate + 1e-3, kLongestWait);
    return now +
           std::chrono::duration_cast<Purse::Clock::duration>(std::chrono::duration<double>(wait));
  }
  std::size_t size() const { return purses_.size(); }

 private:
  void forget_full(Purse::Clock::time_point now) {
    for (auto at = purses_.begin(); at != purses_.end();) {
      at->second.fill(law_, now);
      at = at->second.saved() >= law_.most ? purses_.erase(at) : std::next(at);
    }
  }
  const std::string& key(const std::string& payer) const {
    static const std::string all_others = "others";
    return purses_.size() < kMost || purses_.contains(payer) ? payer : all_others;
  }

  const Purse::Law law_;
  std::unordered_map<std::string, Purse> purses_;
};

}  // namespace promenade::world
