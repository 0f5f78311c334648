#pragma once

#include <filesystem>

#include "study/bench/plan.h"

namespace promenade::app {

/// The row `walkers-a-core-served`: the crowd of `walkers-a-core` behind a server of its own, with
/// one viewer. Here, not in study/, since studies know no sockets.
void bench_served(study::BenchPlan& plan, const std::filesystem::path& data_dir);

}  // namespace promenade::app
