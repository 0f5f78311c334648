#include "math/dense_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace promenade {
namespace {

struct Base : DenseMemory {
  virtual ~Base() = default;
  std::uint64_t mark = 0;
};
template <std::size_t kBytes>
struct Derived final : Base {
  char more[kBytes];
};

// Objects of any class of the family are deleted as their base.
TEST(DenseMemory, GivesEachObjectMemoryOfItsOwn) {
  std::vector<std::unique_ptr<Base>> all;
  std::set<const void*> places;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    if (i % 2 == 0) {
      auto one = std::make_unique<Derived<100>>();
      std::memset(one->more, int(i & 0xff), sizeof one->more);
      all.push_back(std::move(one));
    } else {
      all.push_back(std::make_unique<Derived<2500>>());
    }
    all.back()->mark = i;
    EXPECT_TRUE(places.insert(all.back().get()).second);
  }
  for (std::uint64_t i = 0; i < 3000; i += 3) all[i] = std::make_unique<Derived<700>>();
  for (std::uint64_t i = 0; i < 3000; ++i) {
    EXPECT_EQ(all[i]->mark, i % 3 == 0 ? 0 : i);
  }
}

TEST(DenseMemory, MayBeGivenBackByAnotherThread) {
  for (int round = 0; round < 4; ++round) {
    std::vector<std::unique_ptr<Base>> all(500);
    std::thread maker([&] {
      for (auto& one : all) one = std::make_unique<Derived<300>>();
    });
    maker.join();
    std::thread other([&] { all.clear(); });
    // Memory that is given back meanwhile is used again by one object at a time.
    std::vector<std::unique_ptr<Base>> own(500);
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i] = std::make_unique<Derived<300>>();
      own[i]->mark = i;
    }
    other.join();
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(own[i]->mark, i);
  }
}

}  // namespace
}  // namespace promenade
