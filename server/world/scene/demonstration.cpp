#include "world/scene/demonstration.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "world/command/command_codec.h"
#include "world/command/limits.h"

namespace promenade::world {
namespace {

const std::vector<std::string> kSides = {"front", "back", "left", "right", "top"};
constexpr double kLongestWait_s = 20;
constexpr double kFarthestLook_m = 100;

bool contains(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Characters of a text in UTF-8.
int letters(std::string_view text) {
  return int(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

struct StepChecker {
  const CreatureLibrary& bodies;
  const CreatureLibrary& things;
  const StyleLibrary& styles;
  schema::Checker& check;

  void one_of(const std::string& key, const std::string& name,
              const std::vector<std::string>& list) {
    if (!contains(list, name)) check.fail(key, schema::in_quotes(name), schema::listed_names(list));
  }

  /// Left out, or one of the names.
  template <typename Library>
  void known(const std::string& key, const std::string& name, const Library& library) {
    if (!name.empty()) one_of(key, name, library.names());
  }

  void sentence(const std::string& key, const std::string& text) {
    if (const int got = letters(text); got > kLongestSentence) {
      check.fail(key, std::to_string(got) + " characters",
                 "up to " + std::to_string(kLongestSentence) + " characters");
    }
  }

  /// `count` numbers from low to high; none where they may be left out.
  template <typename Repeated>
  void numbers(const std::string& key, const Repeated& values, int count, double limit,
               bool required, std::string_view unit) {
    if (values.empty() && !required) return;
    if (!check.count(key, std::size_t(values.size()), std::size_t(count))) return;
    for (int i = 0; i < count; ++i) {
      check.range(schema::indexed(key, std::size_t(i)), values[i], -limit, limit, unit);
    }
  }

  void subject(const std::string& key, const v1::Subject& m) {
    if (!m.thing().empty() && (!m.body().empty() || !m.style().empty())) {
      check.fail(key + ".thing", schema::in_quotes(m.thing()), "nothing beside body or style");
    }
    known(key + ".body", m.body(), bodies);
    known(key + ".style", m.style(), styles);
    known(key + ".thing", m.thing(), things);
    known(key + ".beside", m.beside(), things);
    numbers(key + ".near_m", m.near_m(), 2, kMaxCoordinate, false, " m");
  }

  void look(const std::string& key, const v1::Look& m) {
    const bool stands = !m.from_m().empty() || !m.at_m().empty();
    if (!m.side().empty()) one_of(key + ".side", m.side(), kSides);
    if (stands && !m.side().empty()) {
      check.fail(key + ".side", schema::in_quotes(m.side()), "either side, or from_m and at_m");
    }
    if (m.distance_m() != 0)
      check.range(key + ".distance_m", m.distance_m(), 0.05, kFarthestLook_m, " m");
    numbers(key + ".from_m", m.from_m(), 3, kMaxCoordinate, stands, " m");
    numbers(key + ".at_m", m.at_m(), 3, kMaxCoordinate, stands, " m");
  }

  void command(const std::string& key, const v1::Command& m) {
    // Commands are checked with a character, which the page puts in: the subject.
    const auto parsed = command_about(1, "it is the subject", m);
    if (const auto* error = std::get_if<CommandError>(&parsed)) {
      check.fail(key + "." + error->field, error->value, error->allowed);
      return;
    }
    const Command& command = std::get<Command>(parsed);
    if (!rules_of(command).demonstrated()) {
      check.fail(key + "." + command_name(command), "in a demonstration",
                 names_of_kinds(&v1::CommandRules::demonstrated));
    } else if (const auto* style = std::get_if<SetStyle>(&command)) {
      known(key + ".set_style.style", style->style, styles);
    }
  }

  void overlay(const std::string& key, v1::DemonstrationStep::Overlay shown) {
    if (shown != v1::DemonstrationStep::NO_OVERLAY && v1::DemonstrationStep::Overlay_IsValid(shown))
      return;
    std::vector<std::string> names;
    for (int i = 1; i < v1::DemonstrationStep::Overlay_ARRAYSIZE; ++i) {
      names.push_back(v1::DemonstrationStep::Overlay_Name(v1::DemonstrationStep::Overlay(i)));
    }
    check.fail(key, std::to_string(int(shown)), schema::listed_names(names));
  }

  void shove(const std::string& key, const v1::Shove& m) {
    check.range(key + ".body_weights", m.body_weights(), 0.01, 5);
    check.range(key + ".toward_deg", m.toward_deg(), -360, 360, " degrees");
    numbers(key + ".toward_m", m.toward_m(), 2, kMaxCoordinate, false, " m");
  }

  void throw_thing(const std::string& key, const v1::Throw& m) {
    one_of(key + ".thing", m.thing(), things.names());
    numbers(key + ".position_m", m.position_m(), 3, kMaxCoordinate, true, " m");
    numbers(key + ".velocity_mps", m.velocity_mps(), 3, 30, false, " m/s");
    check.range(key + ".yaw_deg", m.yaw_deg(), -360, 360, " degrees");
  }

  void pull(const std::string& key, const v1::Pull& m) {
    numbers(key + ".by_m", m.by_m(), 3, 10, true, " m");
    check.range(key + ".duration_s", m.duration_s(), 0.1, 10, " s");
  }

  void again(const std::string& key, const v1::Again& m) {
    check.range(key + ".before_s", m.before_s(), 0, kLongestWait_s, " s");
    check.range(key + ".after_s", m.after_s(), 0, kLongestWait_s, " s");
    if (m.speed() != 0) check.range(key + ".speed", m.speed(), 0.1, 1);
  }

  void await(const std::string& key, const v1::Await& m) {
    check.range(key + ".within_s", m.within_s(), 0.1, 60, " s");
    check.range(key + ".by_m", m.by_m(), 0, 100, " m");
    check.range(key + ".by_deg", m.by_deg(), 0, 180, " degrees");
    numbers(key + ".at_m", m.at_m(), 2, kMaxCoordinate, m.event() == v1::Await::REACH, " m");
    if (m.event() == v1::Await::NOTHING || !v1::Await::Event_IsValid(m.event())) {
      check.fail(key + ".event", std::to_string(int(m.event())), "FALL, MOVE, TILT or REACH");
    }
    if (m.has_who()) subject(key + ".who", m.who());
    const auto* thing = m.who().thing().empty() ? nullptr : things.find(m.who().thing());
    if (thing && !m.link().empty()) one_of(key + ".link", m.link(), thing->body->link_names);
  }

  void step(const std::string& key, const v1::DemonstrationStep& m) {
    sentence(key + ".say", m.say());
    sentence(key + ".otherwise", m.otherwise());
    if (m.has_subject()) subject(key + ".subject", m.subject());
    if (m.has_look()) look(key + ".look", m.look());
    for (int i = 0; i < m.overlays_size(); ++i) {
      overlay(schema::indexed(key + ".overlays", std::size_t(i)), m.overlays(i));
    }
    if (m.has_command()) command(key + ".command", m.command());
    if (m.has_shove()) shove(key + ".shove", m.shove());
    if (m.has_throw_()) throw_thing(key + ".throw", m.throw_());
    if (m.has_pull()) pull(key + ".pull", m.pull());
    if (m.has_again()) again(key + ".again", m.again());
    if (m.has_until()) await(key + ".until", m.until());
    check.range(key + ".wait_s", m.wait_s(), 0, kLongestWait_s, " s");
    check.range(key + ".calm_s", m.calm_s(), 0, kLongestWait_s, " s");
  }
};

}  // namespace

void check_demonstration(const v1::Scene& scene, const CreatureLibrary& bodies,
                         const CreatureLibrary& things, const StyleLibrary& styles,
                         schema::Checker& check) {
  if (scene.demonstration_size() > kMostDemonstrationSteps) {
    check.fail("demonstration", std::to_string(scene.demonstration_size()) + " steps",
               "up to " + std::to_string(kMostDemonstrationSteps));
  }
  StepChecker steps{bodies, things, styles, check};
  for (int i = 0; i < scene.demonstration_size() && check.ok(); ++i) {
    steps.step(schema::indexed("demonstration", std::size_t(i)), scene.demonstration(i));
  }
}

}  // namespace promenade::world
