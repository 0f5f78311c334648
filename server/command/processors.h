#pragma once

#include <filesystem>
#include <string>

namespace promenade::command {

/// How many processors this process may use.
struct Processors {
  int count = 1;     // threads that can run at the same time, at least 1
  int machine = 1;   // processors of the machine
  int affinity = 1;  // those that the process may run on (taskset, cpusets of containers)
  double quota = 0;  // processor seconds a second that its control groups allow; 0: no limit

  /// "1 of 8 processors (affinity 4, quota 0.5)"
  std::string text() const;
};

/// Law: count = min(affinity, ceil(quota)). A quota of 1.5 gives two threads, which use all of it.
/// Reads the kernel's files each time.
Processors usable_processors();

/// The least quota of the control groups that a process is in and of all groups around them,
/// version 1 (cpu.cfs_quota_us) and 2 (cpu.max).
/// @param root  below which /proc and the mounts of control groups lie: "/"
/// @return processor seconds a second; 0: no limit
double processor_quota(const std::filesystem::path& root = "/");

/// The number of threads for something that takes one a processor: `given`, or where that is 0 the
/// usable processors.
int threads_or_processors(int given);

}  // namespace promenade::command
