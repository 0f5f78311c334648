#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace promenade::service {

/// Counts what each visitor has saved in the last 30 days, from the visitor's first save of them.
/// The store keeps the counts, so that a restart does not renew a visitor's allowance. Bounded; not
/// thread-safe. Times are milliseconds since 1970.
class SavedCounts {
 public:
  static constexpr std::size_t kMaxVisitors = 8192;
  static constexpr std::int64_t kSpanMs = std::int64_t{30} * 86'400'000;
  static constexpr std::size_t kMostChanges = 64;  // changes handed out at once

  struct Count {
    std::uint64_t names = 0;  // new ones
    std::uint64_t bytes = 0;
  };
  Count of(const std::string& payer, std::int64_t now_ms) const;
  void add(const std::string& payer, std::uint64_t bytes, bool fresh, std::int64_t now_ms);

  /// Takes a count that was kept. @return whether it could be read
  bool take_kept(const std::string& key, const std::string& content, std::int64_t now_ms);
  /// Keys and contents to keep that have changed since they were asked for; an empty content: the
  /// count is to be forgotten. Keys do not tell addresses.
  std::vector<std::pair<std::string, std::string>> changes(std::int64_t now_ms);
  std::size_t size() const { return counts_.size(); }

 private:
  struct Entry {
    Count count;
    std::int64_t since_ms = 0;
    bool changed = false;
  };
  void make_room();

  std::map<std::string, Entry> counts_;  // by key
  std::vector<std::string> forgotten_;   // that the store has to forget, too
};

}  // namespace promenade::service
