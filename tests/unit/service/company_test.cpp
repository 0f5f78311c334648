#include "service/rooms/company.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "promenade/v1/wire.pb.h"
#include "service/commands/acts.h"

namespace promenade::service {
namespace {

using std::chrono::milliseconds;

const Company::Time kStart = net::Clock::now();

v1::ServerMessage read(const net::Bytes& bytes) {
  v1::ServerMessage message;
  EXPECT_TRUE(bytes && message.ParseFromString(*bytes));
  return message;
}

v1::Visitors list_of(const Company::News& news) {
  return news.visitors ? news.visitors->value() : v1::Visitors();
}

v1::Act act_on(const char* command, std::uint32_t character) {
  v1::Act act;
  act.set_command(command);
  act.set_character(character);
  return act;
}

// Contrast of white text on a colour, WCAG 2.
double contrast_with_white(const std::string& color) {
  double luminance = 0;
  const double weights[] = {0.2126, 0.7152, 0.0722};
  for (int i = 0; i < 3; ++i) {
    const double c =
        std::stoi(color.substr(1 + 2 * static_cast<std::size_t>(i), 2), nullptr, 16) / 255.0;
    luminance += weights[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return 1.05 / (luminance + 0.05);
}

TEST(Company, GivesThoseWhoAreHereDifferentColoursAndNames) {
  Company company;
  for (std::size_t i = 0; i < Company::kColors; ++i) company.enter("v" + std::to_string(i), "");
  const v1::Visitors list = list_of(company.news(kStart));
  std::set<std::string> colors, names;
  for (const auto& one : list.visitors()) {
    colors.insert(one.color());
    names.insert(one.name());
    EXPECT_GE(contrast_with_white(one.color()), 4.5) << one.color();
  }
  EXPECT_EQ(colors.size(), Company::kColors);
  EXPECT_EQ(names.size(), Company::kColors);
}

TEST(Company, ShowsAChosenNameAndReplacesOneThatCannotBeShown) {
  Company company;
  company.enter("a", "Anna");
  company.enter("b", "\x1b[31m");
  const v1::Visitors list = list_of(company.news(kStart));
  ASSERT_EQ(list.visitors_size(), 2);
  EXPECT_EQ(list.visitors(0).name(), "Anna");
  EXPECT_EQ(list.visitors(1).name().find('\x1b'), std::string::npos);
  EXPECT_FALSE(list.visitors(1).name().empty());
  EXPECT_EQ(company.rename("b", "Ben"), "Ben");
  EXPECT_EQ(list_of(company.news(kStart + Company::kListEvery)).visitors(1).name(), "Ben");
  EXPECT_EQ(company.rename("b", ""), list.visitors(1).name());
}

TEST(Company, TellsOnlyWhatHasChangedAndNotTooOften) {
  Company company;
  EXPECT_FALSE(company.news(kStart).any());
  company.enter("a", "");
  const auto first = company.news(kStart).visitors;
  ASSERT_TRUE(first);
  company.enter("b", "");
  EXPECT_FALSE(company.news(kStart + milliseconds(100)).any());
  const auto second = company.news(kStart + Company::kListEvery).visitors;
  ASSERT_TRUE(second);
  EXPECT_FALSE(company.news(kStart + milliseconds(900)).any());
  const v1::VisitorsChange change = read(second->change_from(*first)->front()).visitors_change();
  EXPECT_EQ(change.from_version(), first->number());
  ASSERT_EQ(change.visitors_size(), 1);
  EXPECT_EQ(change.visitors(0).visitor(), "b");
  company.leave("a");
  const auto third = company.news(kStart + milliseconds(900)).visitors;
  ASSERT_TRUE(third);
  EXPECT_EQ(read(third->change_from(*second)->front()).visitors_change().removed_size(), 1);
}

TEST(Company, TellsNobodysAttentionWhoIsAlone) {
  Company company;
  company.enter("a", "");
  company.attend("a", {{1}, {}}, kStart);
  EXPECT_FALSE(company.news(kStart).attention);
  company.enter("b", "");
  const auto later = kStart + milliseconds(300);
  const v1::Attention attention = read(company.news(later).attention).attention();
  ASSERT_EQ(attention.visitors_size(), 1);
  EXPECT_EQ(attention.visitors(0).selected(0), 1u);
  // The same attention again is no news.
  company.attend("a", {{1}, {}}, later);
  EXPECT_FALSE(company.news(later).any());
}

TEST(Company, TellsTheAttentionOfTheLastActiveOnly) {
  Company company;
  constexpr int kVisitors = 500;
  for (int i = 0; i < kVisitors; ++i) {
    const std::string id = "v" + std::to_string(i);
    company.enter(id, "");
    company.attend(id, {{}, {i, 0, 0}}, kStart + milliseconds(i));
  }
  const auto news = company.news(kStart + milliseconds(1000));
  const v1::Attention attention = read(news.attention).attention();
  ASSERT_EQ(attention.visitors_size(), Company::kMostAttending);
  EXPECT_EQ(attention.visitors(0).pointer(0), kVisitors - 1);
  EXPECT_LT(news.attention->size(), 400u);
  company.forget_attention();
  EXPECT_EQ(read(company.news(kStart + milliseconds(2000)).attention).attention().visitors_size(),
            0);
}

TEST(Company, ForgetsWhomAVisitorSteeredAfterAWhile) {
  Company company;
  company.enter("a", "");
  company.enter("b", "");
  company.handle("a", 7, kStart);
  EXPECT_EQ(read(company.news(kStart).attention).attention().visitors(0).handles(), 7u);
  EXPECT_FALSE(company.news(kStart + milliseconds(2000)).attention);
  const auto after = company.news(kStart + Company::kHandlesFor);
  EXPECT_EQ(read(after.attention).attention().visitors_size(), 0);
}

TEST(Company, SignsActsAndMergesThoseOfASlider) {
  Company company;
  company.enter("a", "Anna");
  const v1::Act act = read(company.tell("a", act_on("set_style", 3), kStart)).act();
  EXPECT_EQ(act.name(), "Anna");
  EXPECT_EQ(act.visitor(), "a");
  EXPECT_EQ(act.command(), "set_style");
  for (int i = 1; i < 10; ++i) {
    EXPECT_FALSE(company.tell("a", act_on("set_style", 3), kStart + milliseconds(40 * i)));
  }
  EXPECT_TRUE(company.tell("a", act_on("set_style", 4), kStart + milliseconds(400)));
  EXPECT_TRUE(company.tell("a", act_on("set_style", 3), kStart + Company::kSameAct));
  // A visitor over HTTP has a name, too.
  const v1::Act other = read(company.tell("c", act_on("remove", 1), kStart)).act();
  EXPECT_EQ(other.color(), Company::kNobodysColor);
  EXPECT_FALSE(other.name().empty());
}

TEST(Company, BoundsTheActsOfARoom) {
  Company company;
  company.enter("a", "");
  int told = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    if (company.tell("a", act_on("spawn", i), kStart)) ++told;
  }
  EXPECT_LE(told, 100);
  EXPECT_GE(told, 50);
  // A stop of the clock is told all the same, and to those who come later, too.
  EXPECT_FALSE(company.last_of_clock());
  EXPECT_TRUE(company.tell("a", act_on("pause", 0), kStart));
  EXPECT_EQ(read(company.last_of_clock()).act().command(), "pause");
}

TEST(Company, IsNotToldOfCommandsThatSteer) {
  EXPECT_FALSE(act_of(world::SetHeading{3, 1.0}));
  EXPECT_EQ(handled_by(world::SetHeading{3, 1.0}), 3u);
  world::Drag drag;
  drag.character = 4;
  EXPECT_FALSE(act_of(drag));
  EXPECT_EQ(handled_by(drag), 0u);  // it lets go
  drag.target = Vec3::Zero();
  EXPECT_EQ(handled_by(drag), 4u);
  world::Push push;
  push.character = 5;
  push.force = Vec3(100, 0, 0);
  const auto act = act_of(push);
  ASSERT_TRUE(act);
  EXPECT_EQ(act->push().force_n(0), 100);
  EXPECT_EQ(act->character(), 5u);
  EXPECT_EQ(act_of(world::LoadScene{"ice"})->scene(), "ice");
}

}  // namespace
}  // namespace promenade::service
