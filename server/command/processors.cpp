#include "command/processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace promenade::command {
namespace fs = std::filesystem;
namespace {

/// A hierarchy of control groups where the kernel shows it.
struct Hierarchy {
  fs::path mount;       // where it is mounted
  fs::path top;         // the group that is shown there
  bool second = false;  // version 2
};

bool has_word(const std::string& words, std::string_view word) {
  std::istringstream in(words);
  for (std::string one; std::getline(in, one, ',');) {
    if (one == word) return true;
  }
  return false;
}

/// A path of mountinfo, in which blanks and backslashes are written as \040 and the like.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_octal = [&](std::size_t k) {
      return k < text.size() && text[k] >= '0' && text[k] <= '7';
    };
    if (text[i] == '\\' && is_octal(i + 1) && is_octal(i + 2) && is_octal(i + 3)) {
      out.push_back(static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8)));
      i += 3;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

/// Control groups that can limit processor time. A line of mountinfo is "36 25 0:32 TOP MOUNT
/// options [tags...] - TYPE source options-of-the-hierarchy".
std::vector<Hierarchy> hierarchies(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream in(root / "proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    const auto dash = line.find(" - ");
    if (dash == line.npos) continue;
    std::istringstream before(line), after(line.substr(dash + 3));
    std::string id, parent, device, top, mount, type, source, options;
    before >> id >> parent >> device >> top >> mount;
    after >> type >> source >> options;
    const bool second = type == "cgroup2";
    if (!second && (type != "cgroup" || !has_word(options, "cpu"))) continue;
    found.push_back({unescaped(mount), unescaped(top), second});
  }
  return found;
}

/// The group of this process in a hierarchy, as an absolute path within it; empty: in none. A line
/// is "0::GROUP" for version 2 and "4:cpu,cpuacct:GROUP" for version 1.
std::string group_of_process(const fs::path& root, bool second) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    const auto next = first == line.npos ? first : line.find(':', first + 1);
    if (next == line.npos) continue;
    const std::string controllers = line.substr(first + 1, next - first - 1);
    if (second ? controllers.empty() : has_word(controllers, "cpu")) return line.substr(next + 1);
  }
  return "";
}

/// The quota of the group itself; 0: no limit.
double quota_of_group(const fs::path& group, bool second) {
  double quota = 0, period = 0;
  if (second) {
    std::ifstream in(group / "cpu.max");
    if (!(in >> quota >> period)) return 0;  // also "max 100000"
  } else {
    std::ifstream quota_in(group / "cpu.cfs_quota_us"), period_in(group / "cpu.cfs_period_us");
    if (!(quota_in >> quota) || !(period_in >> period)) return 0;
  }
  return quota > 0 && period > 0 ? quota / period : 0;  // version 1 has -1 for no limit
}

int affinity_of_process(int machine) {
  // The kernel refuses a set that is smaller than its own, but does not tell the size of its own.
  for (int most = std::max(1024, machine); most <= 1 << 20; most *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(most));
    if (set == nullptr) break;
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    const bool known = ::sched_getaffinity(0, size, set) == 0;
    const int count = known ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (known) return std::max(1, count);
  }
  return machine;
}

}  // namespace

double processor_quota(const fs::path& root) {
  double least = 0;
  for (const Hierarchy& hierarchy : hierarchies(root)) {
    const std::string name = group_of_process(root, hierarchy.second);
    if (name.empty()) continue;
    const fs::path top = (root / hierarchy.mount.relative_path()).lexically_normal();
    // A container may show its own group as the top, and name it as the machine does.
    fs::path within = fs::path(name).lexically_relative(hierarchy.top);
    if (within.empty() || *within.begin() == "..") within = ".";
    for (fs::path group = (top / within).lexically_normal();; group = group.parent_path()) {
      const double quota = quota_of_group(group, hierarchy.second);
      if (quota > 0 && (least == 0 || quota < least)) least = quota;
      const fs::path left = group.lexically_relative(top);
      if (left.empty() || left == "." || *left.begin() == "..") break;
    }
  }
  return least;
}

Processors usable_processors() {
  Processors found;
  found.machine = std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
  found.affinity = affinity_of_process(found.machine);
  found.quota = processor_quota();
  found.count = found.affinity;
  if (found.quota > 0 && found.quota < found.affinity) {
    found.count = std::max(1, static_cast<int>(std::ceil(found.quota)));
  }
  return found;
}

std::string Processors::text() const {
  std::string out = std::to_string(count) + " of " + std::to_string(machine) +
                    (machine == 1 ? " processor" : " processors");
  std::string why;
  if (affinity < machine) why = "affinity " + std::to_string(affinity);
  if (quota > 0) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3g", quota);
    why += std::string(why.empty() ? "" : ", ") + "quota " + number;
  }
  return why.empty() ? out : out + " (" + why + ")";
}

int threads_or_processors(int given) { return given > 0 ? given : usable_processors().count; }

}  // namespace promenade::command
