#include "world/step/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
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

TEST(WorkerPool, OthersTakeWhatASlowWorkerHasBeforeIt) {
  WorkerPool pool(2);
  constexpr int kPieces = 10;
  std::atomic<int> done = 0;
  bool others_first = false;
  pool.run(kPieces, [&](int piece, int) {
    if (piece == 0) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      while (done < kPieces - 1 && std::chrono::steady_clock::now() < end) {
        std::this_thread::yield();
      }
      others_first = done == kPieces - 1;
    }
    ++done;
  });
  EXPECT_TRUE(others_first);
  EXPECT_EQ(done, kPieces);
}

}  // namespace
}  // namespace promenade::world
