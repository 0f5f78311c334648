#pragma once

#include <vector>

namespace promenade::behaviour::flow {

inline constexpr double kDay = 86400;  // s of a day

/// A rate that varies over the day: given at some times, linear between them, and constant before
/// the first and after the last. Every day is the same.
class DayTable {
 public:
  struct Row {
    double at;          // s of the day
    double per_minute;  // >= 0
  };
  DayTable() = default;
  explicit DayTable(double per_minute) : rows_{{0, per_minute}} {}
  /// @pre  times ascend
  explicit DayTable(std::vector<Row> rows) : rows_(std::move(rows)) {}

  /// @param time  s since a midnight
  double per_minute(double time) const;
  /// A table of the same times, with rates `factor` times as great.
  DayTable scaled(double factor) const;

 private:
  std::vector<Row> rows_;
};

}  // namespace promenade::behaviour::flow
