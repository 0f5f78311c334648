#include "command/processors.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace promenade::command {
namespace {

namespace fs = std::filesystem;

/// The files of a kernel in a directory of their own.
class Machine : public ::testing::Test {
 protected:
  Machine() {
    std::string name = (fs::temp_directory_path() / "promenade_processors_XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~Machine() override { fs::remove_all(root_); }

  void file(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void second_version(const std::string& group, const std::string& top = "/") const {
    file("proc/self/cgroup", "0::" + group + "\n");
    file("proc/self/mountinfo",
         "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
         "30 22 0:26 " +
             top + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  }
  void first_version(const std::string& group, const std::string& top = "/") const {
    file("proc/self/cgroup", "5:memory:/elsewhere\n4:cpu,cpuacct:" + group + "\n0::/x\n");
    file("proc/self/mountinfo",
         "30 22 0:26 " + top +
             " /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
             "31 22 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
  }

  fs::path root_;
};

TEST_F(Machine, WithoutControlGroupsHasNoQuota) { EXPECT_EQ(processor_quota(root_), 0); }

TEST_F(Machine, TakesTheQuotaOfItsGroup) {
  second_version("/user/walk");
  file("sys/fs/cgroup/user/walk/cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(processor_quota(root_), 1.5);
  file("sys/fs/cgroup/user/walk/cpu.max", "max 100000\n");
  EXPECT_EQ(processor_quota(root_), 0);
}

TEST_F(Machine, TakesTheLeastQuotaOfTheGroupsAroundIt) {
  second_version("/a/b/c");
  file("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  file("sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");
  file("sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
  EXPECT_DOUBLE_EQ(processor_quota(root_), 0.5);
  file("sys/fs/cgroup/a/b/c/cpu.max", "20000 100000\n");
  EXPECT_DOUBLE_EQ(processor_quota(root_), 0.2);
}

TEST_F(Machine, FindsTheQuotaOfAContainerThatIsShownItsOwnGroup) {
  second_version("/box/17", "/box/17");
  file("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_DOUBLE_EQ(processor_quota(root_), 2);
  second_version("/");
  EXPECT_DOUBLE_EQ(processor_quota(root_), 2);
  second_version("/../outside");
  EXPECT_DOUBLE_EQ(processor_quota(root_), 2);
}

TEST_F(Machine, TakesQuotasOfTheFirstVersionToo) {
  first_version("/box/17");
  const std::string groups = "sys/fs/cgroup/cpu,cpuacct";
  file(groups + "/cpu.cfs_quota_us", "-1\n");
  file(groups + "/cpu.cfs_period_us", "100000\n");
  file(groups + "/box/cpu.cfs_quota_us", "75000\n");
  file(groups + "/box/cpu.cfs_period_us", "50000\n");
  file(groups + "/box/17/cpu.cfs_quota_us", "-1\n");
  file(groups + "/box/17/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(processor_quota(root_), 1.5);
  first_version("/box/17", "/box/17");
  EXPECT_EQ(processor_quota(root_), 0);
}

TEST_F(Machine, WithBothVersionsTakesTheLeast) {
  first_version("/box");
  file("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "400000\n");
  file("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(processor_quota(root_), 4);
  file("proc/self/mountinfo",
       "30 22 0:26 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
       "32 22 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  file("sys/fs/cgroup/unified/x/cpu.max", "100000 100000\n");
  EXPECT_DOUBLE_EQ(processor_quota(root_), 1);
}

TEST(UsableProcessors, AreNoMoreThanTheProcessMayRunOn) {
  cpu_set_t all, one;
  CPU_ZERO(&all);
  CPU_ZERO(&one);
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const Processors found = usable_processors();
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(found.affinity, 1);
  EXPECT_EQ(found.count, 1);
  EXPECT_GE(found.machine, 1);
  EXPECT_EQ(threads_or_processors(5), 5);
  EXPECT_EQ(threads_or_processors(0), usable_processors().count);
}

TEST(UsableProcessors, AreSaidWithTheirReason) {
  EXPECT_EQ((Processors{2, 2, 2, 0}.text()), "2 of 2 processors");
  EXPECT_EQ((Processors{1, 8, 4, 0.5}.text()), "1 of 8 processors (affinity 4, quota 0.5)");
  EXPECT_EQ((Processors{2, 8, 8, 1.5}.text()), "2 of 8 processors (quota 1.5)");
}

}  // namespace
}  // namespace promenade::command
