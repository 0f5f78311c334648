#include "app/gaits/find_reaches.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/gaits/gait_file.h"
#include "command/complain.h"
#include "search/gaits/leap_reaches.h"

namespace promenade::app {
namespace {

double to_millimetres(double value) { return std::round(value * 1000) / 1000; }

}  // namespace

int find_reaches(const Library& library, const std::filesystem::path& file,
                 const std::filesystem::path& out, double high, int starts, int threads) {
  auto loaded = load_gait_file(library, file);
  if (!loaded) return command::complain("search gait", loaded.error().text());
  const int variant = loaded->gait->variant_for(v1::GaitVariant::LEAP);
  if (variant < 0 || loaded->gait->graph.chain.empty()) {
    return command::complain("search gait", file.string() + ": has no variant for LEAP");
  }
  if (high == 0) high = trial::usual_hurdle(loaded->trial.creature());
  const int tried = std::max(1, starts);
  const auto reaches = search::find_reaches(loaded->trial, loaded->gait, high, tried, 0, threads);
  v1::GaitVariant& leap = *loaded->message.mutable_variants(variant);
  leap.clear_reaches();
  for (const search::FoundReach& found : reaches) {
    const auto& reach = found.reach;
    std::printf("size %.1f over %.3f m: from %.3f to %.3f m, %d of %d up\n", reach.size,
                reach.height, reach.from, reach.to, found.up, tried);
    if (found.up < tried || found.empty()) continue;
    v1::LeapReach* one = leap.add_reaches();
    one->set_size(to_millimetres(reach.size));
    one->set_height_m(to_millimetres(reach.height));
    one->set_from_m(to_millimetres(reach.from));
    one->set_to_m(to_millimetres(reach.to));
  }
  const search::FoundRecovery recovery =
      search::find_recovery(loaded->trial, loaded->gait, tried, 0, threads);
  leap.set_recovery(std::uint32_t(recovery.cycles));
  std::printf("another leap after %d strides: %d of %d up\n", recovery.cycles, recovery.up, tried);
  if (leap.reaches().empty()) std::printf("no leap passes over anything\n");
  return write_gait_file(loaded->message, out.empty() ? file : out);
}

}  // namespace promenade::app
