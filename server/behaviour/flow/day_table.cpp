#include "behaviour/flow/day_table.h"

#include <algorithm>
#include <cmath>

namespace promenade::behaviour::flow {

double DayTable::per_minute(double time) const {
  if (rows_.empty()) return 0;
  const double at = time - kDay * std::floor(time / kDay);
  const auto later = std::find_if(rows_.begin(), rows_.end(), [at](auto& r) { return r.at > at; });
  if (later == rows_.begin()) return rows_.front().per_minute;
  if (later == rows_.end()) return rows_.back().per_minute;
  const Row& from = *(later - 1);
  const double share = (at - from.at) / (later->at - from.at);
  return from.per_minute + share * (later->per_minute - from.per_minute);
}

DayTable DayTable::scaled(double factor) const {
  std::vector<Row> rows = rows_;
  for (Row& row : rows) row.per_minute *= factor;
  return DayTable(std::move(rows));
}

}  // namespace promenade::behaviour::flow
