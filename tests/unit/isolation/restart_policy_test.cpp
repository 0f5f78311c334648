#include "isolation/restart_policy.h"

#include <gtest/gtest.h>

namespace promenade::isolation {
namespace {

using std::chrono::seconds;

TEST(RestartPolicy, TheFirstRestartIsAtOnceAndLaterOnesWait) {
  RestartPolicy policy;
  for (const int wanted : {0, 1, 2, 4, 8, 16, 30, 30, 30}) {
    EXPECT_EQ(policy.ended(seconds(1)).count(), wanted);
  }
}

TEST(RestartPolicy, AProcessThatLivedLongBeginsAnew) {
  RestartPolicy policy;
  for (int i = 0; i < 6; ++i) policy.ended(seconds(1));
  EXPECT_EQ(policy.ended(seconds(61)).count(), 0);
  EXPECT_EQ(policy.ended(seconds(1)).count(), 1);
}

}  // namespace
}  // namespace promenade::isolation
