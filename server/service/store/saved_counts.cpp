#include "service/store/saved_counts.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "api/digest.h"

namespace promenade::service {
namespace {

// The store need not list who was there.
std::string key_of(const std::string& payer) {
  return api::hex_of(api::digest_of("saved counts", payer), 16);
}

}  // namespace

SavedCounts::Count SavedCounts::of(const std::string& payer, std::int64_t now_ms) const {
  const auto found = counts_.find(key_of(payer));
  if (found == counts_.end() || now_ms - found->second.since_ms > kSpanMs) return {};
  return found->second.count;
}

void SavedCounts::add(const std::string& payer, std::uint64_t bytes, bool fresh,
                      std::int64_t now_ms) {
  const std::string key = key_of(payer);
  auto found = counts_.find(key);
  if (found == counts_.end()) {
    make_room();
    found = counts_.emplace(key, Entry{{}, now_ms, true}).first;
    std::erase(forgotten_, key);
  }
  Entry& entry = found->second;
  if (now_ms - entry.since_ms > kSpanMs) entry = Entry{{}, now_ms, true};
  entry.count.names += fresh ? 1 : 0;
  entry.count.bytes += bytes;
  entry.changed = true;
}

bool SavedCounts::take_kept(const std::string& key, const std::string& content,
                            std::int64_t now_ms) {
  Entry entry;
  if (std::sscanf(content.c_str(), "names %" SCNu64 " bytes %" SCNu64 " since %" SCNd64,
                  &entry.count.names, &entry.count.bytes, &entry.since_ms) != 3) {
    return false;
  }
  if (now_ms - entry.since_ms > kSpanMs) {
    forgotten_.push_back(key);
  } else {
    make_room();
    counts_[key] = entry;
  }
  return true;
}

std::vector<std::pair<std::string, std::string>> SavedCounts::changes(std::int64_t now_ms) {
  std::vector<std::pair<std::string, std::string>> out;
  for (auto entry = counts_.begin(); entry != counts_.end();) {
    // Counted while the clock was ahead: it would count until that time comes, and a span longer.
    if (entry->second.since_ms > now_ms) {
      entry->second.since_ms = now_ms;
      entry->second.changed = true;
    }
    if (now_ms - entry->second.since_ms > kSpanMs) {
      forgotten_.push_back(entry->first);
      entry = counts_.erase(entry);
      continue;
    }
    Entry& one = entry->second;
    if (one.changed && out.size() < kMostChanges) {
      char text[96];
      std::snprintf(text, sizeof text, "names %" PRIu64 " bytes %" PRIu64 " since %" PRId64,
                    one.count.names, one.count.bytes, one.since_ms);
      out.emplace_back(entry->first, text);
      one.changed = false;
    }
    ++entry;
  }
  while (!forgotten_.empty() && out.size() < kMostChanges) {
    out.emplace_back(std::move(forgotten_.back()), "");
    forgotten_.pop_back();
  }
  return out;
}

void SavedCounts::make_room() {
  if (counts_.size() < kMaxVisitors) return;
  const auto oldest = std::min_element(
      counts_.begin(), counts_.end(),
      [](const auto& a, const auto& b) { return a.second.since_ms < b.second.since_ms; });
  forgotten_.push_back(oldest->first);
  counts_.erase(oldest);
}

}  // namespace promenade::service
