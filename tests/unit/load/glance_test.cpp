#include "load/glance.h"

#include <gtest/gtest.h>

#include "promenade/v1/wire.pb.h"

namespace promenade::load {
namespace {

v1::ServerMessage frame() {
  v1::ServerMessage message;
  v1::Frame* frame = message.mutable_frame();
  frame->set_tick(600);
  frame->set_server_time_us(123'456'789'012);
  frame->set_real_time_factor(1);
  for (int i = 0; i < 300; ++i) frame->add_root_position(i - 150);
  return message;
}

TEST(Glance, ReadsWhatAParserReads) {
  const auto found = glance_at_frame(frame().SerializeAsString());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->server_time_us, 123'456'789'012u);
  EXPECT_EQ(found->dropped, 0u);
}

TEST(Glance, ReadsTheViewersOwnPieceBehindTheSharedOne) {
  v1::ServerMessage own;
  own.mutable_frame()->set_dropped(17);
  const auto found = glance_at_frame(frame().SerializeAsString() + own.SerializeAsString());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->server_time_us, 123'456'789'012u);
  EXPECT_EQ(found->dropped, 17u);
}

TEST(Glance, LeavesOtherMessagesAlone) {
  v1::ServerMessage message;
  message.mutable_ack()->set_seq(3);
  EXPECT_FALSE(glance_at_frame(message.SerializeAsString()));
  EXPECT_FALSE(glance_at_frame(""));
}

TEST(Glance, TakesBytesThatAreCutOff) {
  const std::string whole = frame().SerializeAsString();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // Ends, reads nothing behind the bytes, and finds no time but the one that is there.
    const auto found = glance_at_frame(whole.substr(0, size));
    if (found) EXPECT_EQ(found->server_time_us, 123'456'789'012u) << size;
  }
}

}  // namespace
}  // namespace promenade::load
