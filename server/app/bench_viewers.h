#pragma once

#include "study/bench/plan.h"

namespace promenade::app {

/// The rows `coded-plaza-*`: what a viewer of `plaza` costs the thread that serves it, alone and
/// among others who look elsewhere. Here, not in study/, since studies know no viewers.
void bench_viewers(study::BenchPlan& plan);

}  // namespace promenade::app
