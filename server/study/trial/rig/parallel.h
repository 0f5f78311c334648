#pragma once

#include <functional>

namespace promenade::trial {

/// Runs job(0) ... job(count - 1), each once, on up to `threads` threads of their own, and returns
/// when all are done. Jobs start in order. The result of job(i) must depend on i alone; then the
/// results do not depend on `threads`.
/// @param threads   0: one for each processor that may be used
/// @param progress  called with the number of jobs done, one call at a time, on any thread; may be
///                  empty
/// The first exception of a job is thrown again here once the others have ended.
void run_parallel(int count, int threads, const std::function<void(int)>& job,
                  const std::function<void(int)>& progress = {});

/// Processors that this process may use, at least 1.
int core_count();

}  // namespace promenade::trial
