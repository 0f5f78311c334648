#include "app/gaits/find_reaches.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "app/gaits/gait_file.h"
#include "command/complain.h"
#include "schema/refusal.h"
#include "search/gaits/leap_reaches.h"

namespace promenade::app {
namespace {

constexpr double kOne = 1e-3;  // m, to which lengths are rounded

double down(double value) { return std::floor(value / kOne + 1e-6) * kOne; }
double up(double value) { return std::ceil(value / kOne - 1e-6) * kOne; }
// So that a file says 0.12, not 0.12000000000000001.
double as_written(double value) { return std::stod(schema::number(value)); }

/// Writes into a leap what it was measured to pass over.
/// @return whether there is anything
bool write_reaches(const std::vector<search::FoundReach>& reaches, int tried,
                   v1::GaitVariant& leap) {
  leap.clear_reaches();
  leap.clear_recovery();
  for (const search::FoundReach& found : reaches) {
    const auto& reach = found.reach;
    std::printf("%s over %.3f m: ", leap.name().c_str(), reach.height);
    if (found.empty()) {
      std::printf("nothing");
    } else {
      std::printf("from %.3f to %.3f m", reach.from, reach.to);
    }
    std::printf(", %d of %d up\n", found.up, tried);
    // What is written may say less than what was measured, not more.
    const double height = down(reach.height), from = up(reach.from), to = down(reach.to);
    if (found.up < tried || found.empty() || height < kOne || to <= from) continue;
    v1::LeapReach* one = leap.add_reaches();
    one->set_height_m(as_written(height));
    one->set_from_m(as_written(from));
    one->set_to_m(as_written(to));
  }
  return !leap.reaches().empty();
}

}  // namespace

int find_reaches(const Library& library, const std::filesystem::path& file,
                 const std::filesystem::path& out, double high, int starts, int threads) {
  auto loaded = load_gait_file(library, file);
  if (!loaded) return command::complain("search gait", loaded.error().text());
  const auto& gait = loaded->gait;
  if (gait->variant_for(v1::GaitVariant::LEAP) < 0 || gait->graph.chain.empty()) {
    return command::complain("search gait", file.string() + ": has no variant for LEAP");
  }
  if (high == 0) high = trial::usual_hurdle(loaded->trial.creature());
  const int tried = std::max(1, starts);
  bool any = false;
  for (std::size_t i = 0; i < gait->variants.size(); ++i) {
    v1::GaitVariant& leap = *loaded->message.mutable_variants(int(i));
    if (leap.use() != v1::GaitVariant::LEAP) continue;
    const auto reaches = search::find_reaches(loaded->trial, gait, i, high, tried, 0, threads);
    if (!write_reaches(reaches, tried, leap)) continue;
    any = true;
    const search::FoundRecovery recovery =
        search::find_recovery(loaded->trial, gait, i, tried, 0, threads);
    leap.set_recovery(std::uint32_t(recovery.cycles));
    std::printf("another leap after %d strides: %d of %d up\n", recovery.cycles, recovery.up,
                tried);
    if (recovery.up < search::kEnoughUp * tried) {
      return command::complain("search gait", file.string() + ": another " + leap.name() +
                                                  " makes it fall, also after " +
                                                  std::to_string(recovery.cycles) + " strides");
    }
  }
  if (!any)
    return command::complain("search gait", file.string() + ": no leap passes over anything");
  return write_gait_file(loaded->message, out.empty() ? file : out);
}

}  // namespace promenade::app
