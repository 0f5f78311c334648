#include "isolation/order_book.h"

#include <gtest/gtest.h>

#include <string>

namespace promenade::isolation {
namespace {

TEST(OrderBook, HandsEachAnswerToWhoWaitsForIt) {
  OrderBook book(2);
  std::string heard;
  for (const char* who : {"a", "b"}) {
    ASSERT_TRUE(book.give({}, {[&heard, who](const world::CommandResult&) { heard += who; }}));
  }
  EXPECT_FALSE(book.give({}, {})) << "two wait, which is the capacity";
  EXPECT_EQ(book.busy(), 1u);
  const auto orders = book.take();
  ASSERT_EQ(orders.size(), 2u);
  v1::RoomAnswer answer;
  answer.set_number(orders[1].number());
  book.answer(answer);
  EXPECT_EQ(heard, "b");
  book.answer(answer);
  EXPECT_EQ(heard, "b") << "once";
  EXPECT_TRUE(book.give({}, {}));
}

TEST(OrderBook, RefusesAllThatWaitAndForgetsTheirOrders) {
  OrderBook book(8);
  std::string why;
  std::uint64_t tick = 0;
  book.give({}, {[&](const world::CommandResult& result) {
              why = result.error->message;
              tick = result.tick;
            }});
  bool saved = true;
  book.give({}, {{}, [&saved](const world::Runner::Saved& state) {
                   saved = std::holds_alternative<v1::Checkpoint>(state);
                 }});
  book.refuse_all("gone", 7);
  EXPECT_EQ(why, "gone");
  EXPECT_EQ(tick, 7u);
  EXPECT_FALSE(saved);
  EXPECT_TRUE(book.empty());
  EXPECT_TRUE(book.take().empty());
  book.close();
  EXPECT_FALSE(book.give({}, {}));
}

}  // namespace
}  // namespace promenade::isolation
