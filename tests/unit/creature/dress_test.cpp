// Coats and ornaments: what is refused, how they grow with the body, and that physics knows nothing
// of them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "creature/creature_builder.h"
#include "creature/creature_edit.h"
#include "creature/creature_library.h"
#include "creature/creature_resolve.h"
#include "support.h"

namespace promenade {
namespace {

constexpr const char* kBird = R"({
  "name": "bird",
  "links": [
    {"name": "body", "mass_kg": 2, "inertia_kgm2": [0.01, 0.01, 0.01],
     "shapes": [{"sphere": {"center_m": [0, 0, 0], "radius_m": 0.1}}]},
    {"name": "left_leg", "mass_kg": 1, "inertia_kgm2": [0.004, 0.004, 0.001],
     "shapes": [{"capsule": {"from_m": [0, 0, 0.1], "to_m": [0, 0, -0.1], "radius_m": 0.02}}]}
  ],
  "joints": [
    {"name": "hip", "parent": "body", "child": "left_leg", "kind": "HINGE", "axis": [0, 1, 0],
     "at_parent_m": [0, 0, -0.1], "at_child_m": [0, 0, 0.1], "lower_rad": [-1], "upper_rad": [1],
     "kp_nm": 10, "kd_nms": 1, "torque_limit_nm": 10}
  ],
  "coats": [{"finish": "FEATHERS"}, {"links": ["left_leg"], "color": "#ffaa00"}],
  "ornaments": [
    {"link": "body", "from_m": [0.1, 0.03, 0], "radius_m": 0.01, "both_sides": true},
    {"link": "body", "from_m": [0.1, 0, 0], "to_m": [0.16, 0, 0], "radius_m": 0.02, "tip_m": 0.002,
     "flat": 0.5, "color": "#ff8800", "finish": "SMOOTH"}
  ]
})";

v1::Creature bird() {
  auto parsed = schema::parse_message<v1::Creature>(kBird);
  EXPECT_TRUE(parsed.ok()) << parsed.error().text();
  return *std::move(parsed);
}

std::string complaint(const std::function<void(v1::Creature*)>& spoil) {
  v1::Creature message = bird();
  spoil(&message);
  const auto creature = build_creature(message);
  return creature.ok() ? "none" : creature.error().text();
}

void expect_word(const std::string& text, const std::string& word) {
  EXPECT_NE(text.find(word), std::string::npos) << text << "\n  lacks " << word;
}

TEST(Dress, IsAccepted) {
  EXPECT_EQ(complaint([](v1::Creature*) {}), "none");
}

TEST(Dress, ThatIsWrongIsNamedWithFieldAndValue) {
  using Spoil = std::function<void(v1::Creature*)>;
  const std::vector<std::pair<Spoil, std::vector<std::string>>> cases = {
      {[](v1::Creature* c) { c->mutable_coats(1)->set_links(0, "wing"); },
       {"coats[1].links[0]", "\"wing\"", "a link of"}},
      {[](v1::Creature* c) { c->mutable_coats(1)->set_color("red"); }, {"coats[1].color", "red"}},
      {[](v1::Creature* c) { c->mutable_coats(0)->set_finish(v1::Coat::Finish(77)); },
       {"coats[0].finish", "77", "FEATHERS"}},
      {[](v1::Creature* c) { c->mutable_ornaments(0)->set_link("head"); },
       {"ornaments[0].link", "\"head\""}},
      {[](v1::Creature* c) { c->mutable_ornaments(0)->add_from_m(1); }, {"ornaments[0].from_m"}},
      {[](v1::Creature* c) { c->mutable_ornaments(0)->set_from_m(1, 51); },
       {"ornaments[0].from_m[1]", "51"}},
      {[](v1::Creature* c) { c->mutable_ornaments(1)->mutable_to_m()->RemoveLast(); },
       {"ornaments[1].to_m"}},
      {[](v1::Creature* c) { c->mutable_ornaments(0)->set_radius_m(0); },
       {"ornaments[0].radius_m", "0"}},
      {[](v1::Creature* c) { c->mutable_ornaments(1)->set_tip_m(-1); }, {"ornaments[1].tip_m"}},
      {[](v1::Creature* c) { c->mutable_ornaments(0)->set_tip_m(0.01); },
       {"ornaments[0].tip_m", "left out of a ball"}},
      {[](v1::Creature* c) { c->mutable_ornaments(0)->set_flat_ends(true); },
       {"ornaments[0].flat_ends", "left out of a ball"}},
      {[](v1::Creature* c) { c->mutable_ornaments(1)->set_flat(1.5); },
       {"ornaments[1].flat", "1.5"}},
      {[](v1::Creature* c) { c->mutable_ornaments(0)->set_link("left_leg"); },
       {"ornaments[0].both_sides", "\"right_leg\""}},
      {[](v1::Creature* c) { c->mutable_ornaments(0)->set_color("#12345"); },
       {"ornaments[0].color"}},
      {[](v1::Creature* c) {
         while (c->ornaments_size() < 65) *c->add_ornaments() = c->ornaments(0);
       },
       {"ornaments", "65", "at most 64"}},
      {[](v1::Creature* c) {
         while (c->coats_size() < 33) *c->add_coats() = c->coats(0);
       },
       {"coats", "33", "at most 32"}},
  };
  for (const auto& [spoil, words] : cases) {
    const std::string text = complaint(spoil);
    for (const std::string& word : words) expect_word(text, word);
  }
}

TEST(Dress, GrowsWithItsLink) {
  v1::BodyEdit edit;
  edit.set_scale(2);
  v1::LinkEdit* body = edit.add_links();
  body->set_link("body");
  body->set_length(3);  // along z
  const v1::Creature grown = apply_edit(bird(), edit);
  const double thicker = std::cbrt(2.0 * 2 * 6);
  EXPECT_DOUBLE_EQ(grown.ornaments(0).from_m(1), 0.06);
  EXPECT_DOUBLE_EQ(grown.ornaments(1).to_m(0), 0.32);
  EXPECT_DOUBLE_EQ(grown.ornaments(0).radius_m(), 0.01 * thicker);
  EXPECT_DOUBLE_EQ(grown.ornaments(1).tip_m(), 0.002 * thicker);
  EXPECT_EQ(grown.coats_size(), 2);
}

TEST(Dress, OfAnEditedBodyIsThatOfItsBase) {
  const v1::Creature base = bird();
  v1::Creature edited;
  edited.set_name("big");
  edited.set_base("bird");
  edited.mutable_edit()->set_scale(2);
  const auto whole = resolve_creature(edited, &base, "", {});
  ASSERT_TRUE(whole) << whole.error().text();
  EXPECT_EQ(whole->ornaments_size(), 2);
  edited.add_coats()->set_color("#ffffff");
  const auto refused = resolve_creature(edited, &base, "", {});
  ASSERT_FALSE(refused);
  expect_word(refused.error().text(), "coats");
}

TEST(Dress, IsNothingToPhysics) {
  v1::Creature bare = bird();
  bare.clear_coats();
  bare.clear_ornaments();
  const auto with = build_creature(bird()), without = build_creature(bare);
  ASSERT_TRUE(with && without);
  EXPECT_EQ(with->model->links[0].shapes.size(), without->model->links[0].shapes.size());
  EXPECT_EQ(with->standing_height, without->standing_height);
  EXPECT_EQ(with->total_mass, without->total_mass);
}

}  // namespace
}  // namespace promenade
