#include "control/registry.h"

#include <algorithm>
#include <vector>

#include "control/gbwc/gbwc.h"
#include "control/gbwc/parameters.h"
#include "control/hold/hold.h"
#include "control/limp/limp.h"
#include "control/pendulum/pendulum.h"
#include "control/posegraph/posegraph.h"
#include "control/rise/rise.h"
#include "creature/biped/biped.h"
#include "schema/refusal.h"

namespace promenade::control {
namespace {

std::string drives_all(const Creature&) { return ""; }
std::string why_no_biped(const Creature& creature) {
  const auto view = biped_of(creature);
  return view ? "" : view.error().message;
}

template <typename Message>
const google::protobuf::Message& empty_message() {
  return Message::default_instance();
}

template <typename Message>
std::shared_ptr<const Message> parameters_of(const ControllerSetup& setup) {
  return std::dynamic_pointer_cast<const Message>(setup.parameters);
}

std::unique_ptr<Controller> make_gbwc(const ControllerSetup& setup) {
  return std::make_unique<Gbwc>(setup.creature, setup.style, parameters_of<GbwcParameters>(setup),
                                setup.plain);
}
std::unique_ptr<Controller> make_hold(const ControllerSetup& setup) {
  return std::make_unique<Hold>(setup.creature, parameters_of<v1::HoldParameters>(setup));
}
std::unique_ptr<Controller> make_limp(const ControllerSetup& setup) {
  return std::make_unique<Limp>(setup.creature, parameters_of<v1::LimpParameters>(setup));
}

std::unique_ptr<Controller> make_pendulum(const ControllerSetup& setup) {
  return std::make_unique<pendulum::Pendulum>(setup);
}

std::unique_ptr<Controller> make_rise(const ControllerSetup& setup) {
  return std::make_unique<Rise>(setup.creature, parameters_of<RiseParameters>(setup));
}

std::string why_no_servos(const Creature& creature) {
  return posegraph::driven_dof(creature) > 0 ? "" : creature.name + " has no joint with a servo";
}

std::unique_ptr<Controller> make_posegraph(const ControllerSetup& setup) {
  return std::make_unique<posegraph::PoseGraph>(
      setup.creature, parameters_of<v1::PosegraphParameters>(setup), setup.gait);
}

constexpr std::string_view kPersonsLimbs = "the limbs of a person";

constexpr Family kFamilies[] = {
    {.name = "gbwc",
     .title = "Walk",
     .description = "Walks on two legs, in a style (gbwc)",
     .needs = kPersonsLimbs,
     .styled = true,
     .walks = true,
     .light = false,
     .stands = true,
     .why_not = &why_no_biped,
     .parameters = &empty_message<GbwcParameters>,
     .make = &make_gbwc},
    {.name = "pendulum",
     .title = "Pendulum",
     .description = "Steps as a pendulum, without the physics of the body (pendulum)",
     .needs = kPersonsLimbs,
     .styled = true,
     .walks = true,
     .light = true,
     .stands = true,
     .why_not = &why_no_biped,
     .parameters = &empty_message<v1::PendulumParameters>,
     .make = &make_pendulum},
    {.name = "hold",
     .title = "Hold the pose",
     .description = "Muscles hold the body’s rest pose (hold)",
     .needs = "",
     .styled = false,
     .walks = false,
     .light = false,
     .stands = true,
     .why_not = &drives_all,
     .parameters = &empty_message<v1::HoldParameters>,
     .make = &make_hold},
    {.name = "limp",
     .title = "Limp",
     .description = "No muscles: falls like a rag doll (limp)",
     .needs = "",
     .styled = false,
     .walks = false,
     .light = false,
     .stands = false,
     .why_not = &drives_all,
     .parameters = &empty_message<v1::LimpParameters>,
     .make = &make_limp},
    {.name = "rise",
     .title = "Getting up",
     .description = "Gets up after a fall by its own joints, then goes on as before (rise)",
     .needs = kPersonsLimbs,
     .styled = false,
     .walks = false,
     .light = false,
     .stands = false,
     .why_not = &why_no_biped,
     .parameters = &empty_message<RiseParameters>,
     .make = &make_rise},
    {.name = "posegraph",
     .title = "Wind-up toy",
     .description = "Repeats the poses of a gait, whatever happens (posegraph)",
     .needs = "joints with servos",
     .styled = false,
     .walks = true,
     .light = false,
     .stands = true,
     .plays_gaits = true,
     .why_not = &why_no_servos,
     .parameters = &empty_message<v1::PosegraphParameters>,
     .make = &make_posegraph},
};

/// "gbwc or another", for errors.
std::string those_that(bool Family::*are) {
  std::string text;
  for (const Family& family : kFamilies) {
    if (family.*are) text += (text.empty() ? "" : " or ") + std::string(family.name);
  }
  return text;
}

}  // namespace

std::span<const Family> families() { return kFamilies; }

const Family* find_family(std::string_view name) {
  const auto* found = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                   [&](const Family& family) { return family.name == name; });
  return found == std::end(kFamilies) ? nullptr : found;
}

const Family& default_family(const Creature& creature) {
  return *std::find_if(std::begin(kFamilies), std::end(kFamilies),
                       [&](const Family& family) { return family.why_not(creature).empty(); });
}

std::string known_families() {
  std::vector<std::string> names;
  for (const Family& family : kFamilies) names.emplace_back(family.name);
  return schema::listed_names(names);
}

std::vector<std::string_view> families_that_drive(const Creature& creature) {
  std::vector<std::string_view> names;
  for (const Family& family : kFamilies) {
    if (family.why_not(creature).empty()) names.push_back(family.name);
  }
  return names;
}

std::string families_for(const Creature& creature) {
  const auto names = families_that_drive(creature);
  return schema::listed_names({names.begin(), names.end()});
}

std::string styled_families() { return those_that(&Family::styled); }
std::string walking_families() { return those_that(&Family::walks); }
std::string gait_families() { return those_that(&Family::plays_gaits); }

}  // namespace promenade::control
