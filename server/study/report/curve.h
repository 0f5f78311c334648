#pragma once

#include <string>
#include <vector>

#include "study/report/plan.h"

namespace promenade::study {

/// The points behind some rows, for pictures. The name of a column ends in its unit.
struct Curve {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> points;  // [points][columns]
};

/// Writes NAME.csv to the directory of the options, where there is one.
/// @throws std::runtime_error if the file cannot be written
void write_curve(const ReportOptions& options, const Curve& curve);

}  // namespace promenade::study
