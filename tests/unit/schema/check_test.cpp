#include "schema/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace promenade::schema {
namespace {

// A checker refers to its source until it has an error to tell.
static_assert(!std::is_constructible_v<Checker, Source>);

TEST(Checker, KeepsTheFirstErrorWithItsLine) {
  const Source source{"x.json", {{"a", 4}, {"b", 9}}};
  Checker check(source);
  EXPECT_TRUE(check.range("a", 1, 0, 2));
  EXPECT_FALSE(check.range("b", -2, 0, 2, " m"));
  EXPECT_FALSE(check.positive("a", 0));
  ASSERT_FALSE(check.ok());
  EXPECT_EQ(check.error().text(), "x.json:9: b: -2 is not allowed, must be from 0 to 2 m");
}

TEST(Checker, RefusesWhatIsNotFinite) {
  const Source source;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Checker range(source), positive(source);
    EXPECT_FALSE(range.range("a", bad, -1e308, std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(positive.positive("a", bad));
  }
}

TEST(Checker, KnowsNamesColorsAndCounts) {
  const Source source;
  const auto holds = [&](auto test) {
    Checker check(source);
    return test(check) && check.ok();
  };
  for (const char* name : {"a", "left_foot-2", "0"}) {
    EXPECT_TRUE(holds([&](Checker& check) { return check.name("k", name); })) << name;
  }
  for (const std::string& name : {std::string(), std::string("A"), std::string("a b"),
                                  std::string("../x"), std::string(41, 'a')}) {
    EXPECT_FALSE(holds([&](Checker& check) { return check.name("k", name); })) << name;
  }
  EXPECT_TRUE(holds([](Checker& check) { return check.color("k", "#aB0912"); }));
  for (const char* color : {"#abc", "abcdef0", "#ggggggg", "red", ""}) {
    EXPECT_FALSE(holds([&](Checker& check) { return check.color("k", color); })) << color;
  }
  EXPECT_TRUE(holds([](Checker& check) { return check.count("k", 3, 3); }));
  Checker check(source);
  check.count("k", 1, 3);
  EXPECT_EQ(check.error().text(), "k: has 1 entry, must be 3");
}

TEST(Checker, ListsOfNamesAreSentencesAlsoWhereThereAreNone) {
  EXPECT_EQ(listed_names({"a", "b"}), "one of a, b");
  EXPECT_EQ(listed_names({}), "none, because there are none");
}

TEST(Checker, QuotesAreCutBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 59; ++i) name += 'a';
  name += "é and more";
  EXPECT_EQ(in_quotes(name), "\"" + std::string(59, 'a') + "...\"");
  EXPECT_EQ(in_quotes("torso"), "\"torso\"");
}

}  // namespace
}  // namespace promenade::schema
