#include "world/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace promenade::world {
namespace {

TEST(WorkerPool, DoesEveryPieceOnce) {
  for (const int threads : {1, 2, 4}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int round = 0; round < 300; ++round) {
      const int pieces = round % 17;
      std::vector<std::atomic<int>> done(17);
      pool.run(pieces, [&](int piece, int worker) {
        EXPECT_GE(worker, 0);
        EXPECT_LT(worker, threads);
        ++done[std::size_t(piece)];
      });
      for (int i = 0; i < 17; ++i) EXPECT_EQ(done[std::size_t(i)], i < pieces ? 1 : 0);
    }
  }
}

TEST(WorkerPool, ResultsAreThereWhenRunReturns) {
  WorkerPool pool(3);
  std::vector<double> values(64);
  for (int round = 1; round <= 200; ++round) {
    pool.run(64, [&](int piece, int) { values[std::size_t(piece)] += piece; });
    for (int i = 0; i < 64; ++i) ASSERT_EQ(values[std::size_t(i)], double(i) * round);
  }
}

}  // namespace
}  // namespace promenade::world
