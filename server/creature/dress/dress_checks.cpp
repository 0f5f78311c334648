#include "creature/dress/dress_checks.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "creature/tree_checks.h"

namespace promenade {
namespace {

using google::protobuf::RepeatedField;
using schema::Checker;
using schema::in_quotes;
using schema::indexed;

constexpr int kMostCoats = 32, kMostOrnaments = 64;
constexpr double kThinnest = 1e-5;  // m, of an ornament
constexpr double kFlattest = 0.02;  // of the thickness that it would have
constexpr std::string_view kLeft = "left_", kRight = "right_";

bool has_link(const v1::Creature& creature, const std::string& name) {
  return std::any_of(creature.links().begin(), creature.links().end(),
                     [&](const v1::Link& link) { return link.name() == name; });
}

/// The link of the same name on the other side; the link itself where its name has no side.
std::string across(const std::string& link) {
  if (link.starts_with(kLeft)) return std::string(kRight) + link.substr(kLeft.size());
  if (link.starts_with(kRight)) return std::string(kLeft) + link.substr(kRight.size());
  return link;
}

void check_color(Checker* check, const std::string& key, const std::string& color) {
  if (!color.empty()) check->color(key, color);
}

void check_finish(Checker* check, const std::string& key, v1::Coat::Finish finish) {
  if (v1::Coat::Finish_IsValid(finish)) return;
  std::string known;
  for (int i = 0; i < v1::Coat::Finish_ARRAYSIZE; ++i) {
    known += (i == 0 ? "one of " : ", ") + v1::Coat::Finish_Name(v1::Coat::Finish(i));
  }
  check->fail(key, std::to_string(finish), known);
}

void check_link_name(Checker* check, const std::string& key, const std::string& link,
                     const v1::Creature& creature) {
  if (!has_link(creature, link)) {
    check->fail(key, in_quotes(link), "a link of " + in_quotes(creature.name()));
  }
}

void check_point(Checker* check, const std::string& key, const RepeatedField<double>& point) {
  if (!check->count(key, static_cast<std::size_t>(point.size()), 3)) return;
  for (int i = 0; i < 3; ++i) {
    check->range(indexed(key, i), point[i], -kFarthest, kFarthest, " m");
  }
}

void check_ornament(Checker* check, const std::string& key, const v1::Ornament& ornament,
                    const v1::Creature& creature) {
  check_link_name(check, key + ".link", ornament.link(), creature);
  check_point(check, key + ".from_m", ornament.from_m());
  const bool rod = !ornament.to_m().empty();
  if (rod) check_point(check, key + ".to_m", ornament.to_m());
  check->range(key + ".radius_m", ornament.radius_m(), kThinnest, kFarthest, " m");
  if (ornament.tip_m() != 0) {
    check->range(key + ".tip_m", ornament.tip_m(), kThinnest, kFarthest, " m");
    if (!rod) check->fail(key + ".tip_m", schema::number(ornament.tip_m()), "left out of a ball");
  }
  if (ornament.flat() != 0) check->range(key + ".flat", ornament.flat(), kFlattest, 1);
  if (ornament.flat_ends() && !rod) check->fail(key + ".flat_ends", "true", "left out of a ball");
  if (ornament.both_sides() && !has_link(creature, across(ornament.link()))) {
    check->fail(key + ".both_sides", "true",
                "left out, as there is no link " + in_quotes(across(ornament.link())));
  }
  check_color(check, key + ".color", ornament.color());
  check_finish(check, key + ".finish", ornament.finish());
}

}  // namespace

void check_dress(Checker* check, const v1::Creature& creature) {
  if (creature.coats_size() > kMostCoats) {
    check->fail("coats", std::to_string(creature.coats_size()) + " coats",
                "at most " + std::to_string(kMostCoats));
  }
  if (creature.ornaments_size() > kMostOrnaments) {
    check->fail("ornaments", std::to_string(creature.ornaments_size()) + " ornaments",
                "at most " + std::to_string(kMostOrnaments));
  }
  for (int i = 0; i < creature.coats_size() && check->ok(); ++i) {
    const v1::Coat& coat = creature.coats(i);
    const std::string key = indexed("coats", i);
    for (int k = 0; k < coat.links_size(); ++k) {
      check_link_name(check, indexed(key + ".links", k), coat.links(k), creature);
    }
    check_color(check, key + ".color", coat.color());
    check_finish(check, key + ".finish", coat.finish());
  }
  for (int i = 0; i < creature.ornaments_size() && check->ok(); ++i) {
    check_ornament(check, indexed("ornaments", i), creature.ornaments(i), creature);
  }
}

}  // namespace promenade
