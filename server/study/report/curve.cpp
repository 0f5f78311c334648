#include "study/report/curve.h"

#include <fstream>
#include <stdexcept>

namespace promenade::study {

void write_curve(const ReportOptions& options, const Curve& curve) {
  if (options.curves_dir.empty()) return;
  const std::filesystem::path path = options.curves_dir / (curve.name + ".csv");
  std::ofstream out(path, std::ios::trunc);
  for (std::size_t i = 0; i < curve.columns.size(); ++i)
    out << (i > 0 ? "," : "") << curve.columns[i];
  out << '\n';
  for (const std::vector<double>& point : curve.points) {
    for (std::size_t i = 0; i < point.size(); ++i)
      out << (i > 0 ? "," : "") << formatted("%.5g", point[i]);
    out << '\n';
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace promenade::study
