#include "service/rooms/rooms.h"

#include <gtest/gtest.h>

#include "support/paths.h"

namespace promenade::service {
namespace {

class RoomsTest : public ::testing::Test {
 protected:
  static v1::RoomSpec spec(const std::string& id, bool by_link = false) {
    v1::RoomSpec out;
    out.set_id(id);
    out.set_scene("plaza");
    out.set_by_link(by_link);
    return out;
  }

  Rooms rooms_{Library::load(test::data_dir()).value()};
};

TEST_F(RoomsTest, TellsHowFarARoomIsThatIsBeingMade) {
  EXPECT_TRUE(rooms_.begin(spec("main")));
  EXPECT_FALSE(rooms_.begin(spec("main"))) << "its place is taken";
  EXPECT_TRUE(rooms_.tell("main", 0.4, "measuring how people walk, 12 of 30"));
  EXPECT_EQ(rooms_.find("main"), nullptr);
  EXPECT_EQ(rooms_.find(""), nullptr);
  EXPECT_TRUE(rooms_.all().empty());
  EXPECT_EQ(rooms_.count(), 1u);
  ASSERT_TRUE(rooms_.making("")) << "the default room";
  const auto making = rooms_.making("main");
  ASSERT_TRUE(making);
  EXPECT_EQ(making->text(), "is being made: measuring how people walk, 12 of 30 (40 %)");
  EXPECT_EQ(making->message().scene(), "plaza");
  EXPECT_TRUE(making->message().first());
  const auto error = rooms_.not_found("room", "main");
  EXPECT_EQ(error.code, world::CommandError::Code::kBusy);
  EXPECT_NE(error.message.find("12 of 30"), std::string::npos) << error.message;
  EXPECT_EQ(rooms_.not_found("room", "nowhere").code, world::CommandError::Code::kNotFound);
  EXPECT_EQ(rooms_.take_out("main"), nullptr);
}

TEST_F(RoomsTest, AreGivenUp) {
  rooms_.begin(spec("main"));
  rooms_.begin(spec("lab"));
  rooms_.give_up("lab");
  EXPECT_FALSE(rooms_.making("lab"));
  EXPECT_TRUE(rooms_.begin(spec("lab")));
  rooms_.give_up_all();
  EXPECT_TRUE(rooms_.given_up());
  EXPECT_FALSE(rooms_.tell("main", 0.5, "")) << "whoever makes it need not go on";
}

TEST_F(RoomsTest, ThatNeedALinkAreNotNamed) {
  rooms_.begin(spec("secret", true));
  EXPECT_FALSE(rooms_.making("")) << "the default room is one without a link";
  EXPECT_TRUE(rooms_.making("secret")) << "who has the link is told";
  rooms_.begin(spec("main"));
  EXPECT_EQ(rooms_.making("")->spec.id(), "main");
  EXPECT_EQ(rooms_.not_found("room", "nowhere").message.find("secret"), std::string::npos);
  EXPECT_EQ(Rooms::name_for(spec("secret", true), true), "secret");
  EXPECT_EQ(Rooms::name_for(spec("secret", true), false).find("secret"), std::string::npos);
}

TEST_F(RoomsTest, AreLookedForUntilThatIsOver) {
  int looks = 0;
  rooms_.wait([&looks] { return ++looks < 2; });
  for (int i = 0; i < 4; ++i) rooms_.look_again();
  EXPECT_EQ(looks, 2);
}

}  // namespace
}  // namespace promenade::service
