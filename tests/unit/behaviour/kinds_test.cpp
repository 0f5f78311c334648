#include "behaviour/kinds.h"

#include <gtest/gtest.h>

#include "behaviour/tasks/worker.h"
#include "math/state_variant.h"

namespace promenade::behaviour {
namespace {

// One of each kind of order, none of them with its defaults.
std::vector<Order> some_orders() {
  return {Direct::Order{0.7}, PathFollower::Order{{Vec2(1, 2), Vec2(3, 4)}, true, 0.6},
          Wander::Order{Vec2(5, 6), 7}, flow::OnErrand::Order{}};
}

StateVisitor::Buffer words_of(Order order) {
  StateVisitor::Buffer words;
  StateVisitor writer = StateVisitor::writer(words);
  visit_one_of(order, writer);
  return words;
}

TEST(Order, IsReadAsItWasWritten) {
  ASSERT_EQ(some_orders().size(), std::variant_size_v<Order>);
  for (const Order& order : some_orders()) {
    const auto words = words_of(order);
    Order back = Wander::Order{};
    StateVisitor reader = StateVisitor::reader(words);
    visit_one_of(back, reader);
    EXPECT_EQ(reader.error(), "");
    EXPECT_EQ(reader.left(), 0u);
    EXPECT_EQ(back.index(), order.index());
    EXPECT_EQ(words_of(back), words);
  }
}

TEST(Order, OfAnUnknownKindAndWithoutPointsIsRefused) {
  Order order;
  const StateVisitor::Buffer unknown{std::variant_size_v<Order>, 0};
  StateVisitor reader = StateVisitor::reader(unknown);
  visit_one_of(order, reader);
  EXPECT_EQ(reader.error(), "has a number outside its range");
  const StateVisitor::Buffer no_points = words_of(PathFollower::Order{});
  reader = StateVisitor::reader(no_points);
  visit_one_of(order, reader);
  EXPECT_EQ(reader.error(), "has a path without points");
}

TEST(Order, StandsByDefault) {
  const auto behaviour = make_behaviour(Order{}, {.heading = 0.3});
  const control::Goal goal = behaviour->update({.heading = 0.3}, {}, 1.0 / 60);
  EXPECT_TRUE(goal.stand);
  EXPECT_EQ(goal.heading, 0.3);
}

TEST(BehaviourKind, IsThatOfTheClass) {
  EXPECT_EQ(kind_of(*make_behaviour(Direct::Order{}, {})), kind_of<Direct>());
  EXPECT_EQ(kind_of(*make_behaviour(Wander::Order{}, {})), kind_of<Wander>());
  EXPECT_EQ(kind_of(tasks::Worker()), kind_of<tasks::Worker>());
  for (std::size_t i = 0; i < kBehaviourKinds; ++i) {
    const BehaviourKind kind{std::uint8_t(i)};
    EXPECT_EQ(kind_of(*make_behaviour(kind)), kind);
  }
}

TEST(BehaviourKind, OfASavedStateIsRead) {
  for (const Order& order : some_orders()) {
    auto written = make_behaviour(order, {3, Vec2(1, 1), 0.2, Random(5)});
    StateVisitor::Buffer words;
    write_state(*written, words);
    auto back = make_behaviour(kind_of(*written));
    StateVisitor reader = StateVisitor::reader(words);
    back->visit(reader);
    EXPECT_EQ(reader.error(), "");
    StateVisitor::Buffer again;
    write_state(*back, again);
    EXPECT_EQ(again, words);
  }
}

}  // namespace
}  // namespace promenade::behaviour
