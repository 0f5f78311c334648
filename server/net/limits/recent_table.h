#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace promenade::net {

/// Remembers a value for each stranger, by a key, for a bounded number; the one used longest ago is
/// forgotten first, in constant time. Not thread-safe.
template <typename Value>
class RecentTable {
 public:
  using Entry = std::pair<const std::string, Value>;

  explicit RecentTable(std::size_t most) : most_(most) {}

  /// The entry of a key, now the one used last. @param make  () -> Value, for a new one
  template <typename Make>
  Value& use(const std::string& key, Make make) {
    if (const auto found = by_key_.find(key); found != by_key_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return entries_.front().second;
    }
    if (entries_.size() >= most_) {
      by_key_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(key, make());
    by_key_.emplace(entries_.front().first, entries_.begin());
    return entries_.front().second;
  }

  /// Null if there is none. Does not count as a use.
  Value* find(const std::string& key) {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : &found->second->second;
  }
  const Value* find(const std::string& key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : &found->second->second;
  }

  std::size_t size() const { return entries_.size(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }

 private:
  const std::size_t most_;
  std::list<Entry> entries_;  // used last stands first
  std::unordered_map<std::string_view, typename std::list<Entry>::iterator> by_key_;
};

}  // namespace promenade::net
