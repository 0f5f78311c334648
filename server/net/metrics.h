#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace promenade::net {

/// A number that only grows. Any thread.
class Counter {
 public:
  void add(std::uint64_t n = 1) { value_.fetch_add(n, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

using Labels = std::vector<std::pair<std::string, std::string>>;

/// Writes Prometheus' text format 0.0.4.
class MetricsWriter {
 public:
  /// @param all  the reader may be told everything; else nothing that only few may know
  explicit MetricsWriter(bool all) : all_(all) {}
  bool all() const { return all_; }

  /// Begins a family; its samples follow. @param type  "counter", "gauge" or "histogram"
  void family(std::string_view name, std::string_view type, std::string_view help);
  /// @param suffix  "_bucket", "_sum" or "_count" of a histogram, else empty
  void sample(const Labels& labels, double value, std::string_view suffix = {});
  std::string take() { return std::move(text_); }

  static std::string format(const Labels& labels);

 private:
  const bool all_;
  std::string text_, name_;
};

/// The figures at /metrics: counters kept here, and whatever collectors add when asked.
class Metrics {
 public:
  using Collector = std::function<void(MetricsWriter&)>;

  /// The counter of that name and those labels, made on first use. It lives as long as this object.
  /// Takes a lock: a caller that counts often keeps the reference.
  Counter& counter(const std::string& name, const std::string& help, const Labels& labels = {});

  /// @param collector  called from any thread; writes families that nothing else writes
  void collect(Collector collector);

  /// @param all  as of MetricsWriter
  std::string text(bool all) const;

 private:
  struct Series {
    Labels labels;
    Counter counter;
  };
  struct Family {
    std::string help;
    std::deque<Series> series;  // references stay valid
  };
  mutable std::mutex mutex_;
  std::map<std::string, Family> families_;
  std::vector<Collector> collectors_;
};

}  // namespace promenade::net
