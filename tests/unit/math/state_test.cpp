#include "math/state.h"

#include <gtest/gtest.h>

#include <limits>

#include "math/random.h"

namespace promenade {
namespace {

struct Thing {
  double number = 1.5;
  bool flag = true;
  int count = 7;
  std::uint64_t word = ~std::uint64_t{0};
  Vec2 flat{1, 2};
  Vec3 deep{3, 4, 5};
  Quat turn{0.5, -0.5, 0.5, 0.5};
  std::array<Vec3, 2> pair{Vec3(6, 7, 8), Vec3(9, 10, 11)};
  std::vector<Vec2> list{Vec2(12, 13), Vec2(14, 15)};
  int which = 2;
  int link = -1;

  void visit(StateVisitor& state) {
    state(number, flag, count, word, flat, deep, turn, pair);
    state.list(list, 4);
    state.choice(which, 3);
    state.optional_index(link, 5);
  }
};

StateVisitor::Buffer saved(const Thing& thing) {
  StateVisitor::Buffer out;
  write_state(thing, out);
  return out;
}

std::string error_of(const StateVisitor::Buffer& words) {
  Thing thing;
  StateVisitor reader = StateVisitor::reader(words);
  thing.visit(reader);
  return std::string(reader.error());
}

std::uint64_t hash_of(const Thing& thing) {
  Hash hash;
  hash_state(thing, hash);
  return hash.value();
}

TEST(StateVisitor, ReadsWhatItWrote) {
  Thing other;
  other.number = -2;
  other.flag = false;
  other.count = 0;
  other.word = 3;
  other.flat.setZero();
  other.deep.setZero();
  other.turn.setIdentity();
  other.pair.fill(Vec3::Zero());
  other.list.clear();
  other.which = 0;
  other.link = 4;
  const StateVisitor::Buffer words = saved(Thing{});
  ASSERT_NE(saved(other), words);
  StateVisitor reader = StateVisitor::reader(words);
  other.visit(reader);
  EXPECT_EQ(reader.error(), "");
  EXPECT_EQ(reader.left(), 0u);
  EXPECT_EQ(saved(other), words);
  EXPECT_EQ(hash_of(other), hash_of(Thing{}));
}

TEST(StateVisitor, EveryWordCountsInTheHash) {
  const StateVisitor::Buffer words = saved(Thing{});
  for (std::size_t i = 0; i < words.size(); ++i) {
    StateVisitor::Buffer changed = words;
    changed[i] ^= 1;
    Thing thing;
    StateVisitor reader = StateVisitor::reader(changed);
    thing.visit(reader);
    EXPECT_TRUE(!reader.error().empty() || hash_of(thing) != hash_of(Thing{})) << "word " << i;
  }
}

TEST(StateVisitor, RefusesWhatIsCutShort) {
  StateVisitor::Buffer words = saved(Thing{});
  while (!words.empty()) {
    words.pop_back();
    EXPECT_EQ(error_of(words), "is cut short") << words.size() << " words";
  }
}

TEST(StateVisitor, RefusesNumbersThatAreNotFinite) {
  for (const double bad :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    Thing thing;
    thing.deep.y() = bad;
    EXPECT_EQ(error_of(saved(thing)), "has a number that is not finite");
  }
}

TEST(StateVisitor, RefusesNumbersOutsideTheirRange) {
  Thing thing;
  thing.which = 3;
  EXPECT_EQ(error_of(saved(thing)), "has a number outside its range");
  thing.which = 0;
  thing.link = 5;
  EXPECT_EQ(error_of(saved(thing)), "has a number outside its range");
  thing.link = -2;
  EXPECT_EQ(error_of(saved(thing)), "has a number outside its range");
}

TEST(StateVisitor, RefusesListsThatAreTooLong) {
  Thing thing;
  thing.list.resize(5, Vec2::Zero());
  EXPECT_EQ(error_of(saved(thing)), "has a list that is too long");
}

TEST(StateVisitor, CarriesRandomNumbersOn) {
  Random random(42), other(1);
  for (int i = 0; i < 10; ++i) random.next();
  StateVisitor::Buffer words;
  write_state(random, words);
  StateVisitor reader = StateVisitor::reader(words);
  other.visit(reader);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.next(), other.next());
}

}  // namespace
}  // namespace promenade
