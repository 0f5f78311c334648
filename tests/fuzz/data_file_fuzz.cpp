// Files of the data directory: images of height fields, and the JSON of creatures and things,
// styles, scenes and the numbers of tasks, as text and as each of them, checked and built; a
// creature is scaled too.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include "control/gbwc/style.h"
#include "creature/biped/biped.h"
#include "creature/creature_builder.h"
#include "creature/creature_edit.h"
#include "creature/creature_resolve.h"
#include "promenade/v1/task_parameters.pb.h"
#include "schema/json.h"
#include "schema/message.h"
#include "schema/parameters.h"
#include "support/paths.h"
#include "world/library/library.h"
#include "world/scene/ground.h"

namespace {

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

template <typename Result>
bool ok_or_told(const Result& result) {
  if (!result && result.error().text().empty()) fail("an error says nothing");
  return result.ok();
}

bool has_key(const promenade::schema::JsonValue& json,
             std::initializer_list<std::string_view> keys) {
  return std::any_of(json.members.begin(), json.members.end(), [&](const auto& member) {
    return std::find(keys.begin(), keys.end(), member.key) != keys.end();
  });
}

int try_creature(std::string_view text) {
  using namespace promenade;
  const auto parsed = schema::parse_message<v1::Creature>(text);
  if (!ok_or_told(parsed)) return 0;
  const auto whole = resolve_creature(*parsed, nullptr, "none", {});
  if (!ok_or_told(whole)) return 0;
  const auto creature = build_creature(*whole);
  if (!ok_or_told(creature)) return 0;
  ok_or_told(biped_of(*creature));
  if (!std::isfinite(creature->standing_height) || !(creature->total_mass > 0)) {
    fail("a creature that was accepted has no height or no mass");
  }
  v1::BodyEdit edit;
  edit.set_scale(2);
  ok_or_told(build_creature(apply_edit(*whole, edit)));
  return 0;
}

void try_image(std::string_view bytes) {
  try {
    const auto image = promenade::world::read_pgm(bytes);
    if (image.grey.size() != std::size_t(image.columns) * std::size_t(image.rows)) {
      fail("an image that was accepted has another size than it says");
    }
  } catch (const std::runtime_error& error) {
    if (*error.what() == '\0') fail("an error says nothing");
  }
}

int try_style(std::string_view text) {
  const auto parsed = promenade::schema::parse_message<promenade::v1::Style>(text);
  if (ok_or_told(parsed)) ok_or_told(promenade::build_style(*parsed));
  return 0;
}

int try_tasks(std::string_view text) {
  using namespace promenade;
  v1::TaskParameters message;
  schema::Source source;
  if (const auto error = schema::message_from_json(text, &message, &source)) {
    if (error->text().empty()) fail("an error says nothing");
    return 0;
  }
  const auto error = schema::check_parameters(message, source);
  if (error && error->text().empty()) fail("an error says nothing");
  return 0;
}

int try_scene(std::string_view text) {
  using namespace promenade;
  static const auto library = Library::load(promenade::test::data_dir());
  if (!library) fail(library.error().text().c_str());
  static const world::HeightImages image = [](const std::string&) {
    return world::HeightImage{.columns = 2, .rows = 2, .grey = {0, 1, 0.5f, 0}};
  };
  const auto parsed = schema::parse_message<v1::Scene>(text);
  if (!ok_or_told(parsed)) return 0;
  const Library& shipped = **library;
  ok_or_told(
      world::build_scene(*parsed, shipped.bodies(), shipped.things(), shipped.styles(), image, {}));
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('P')) try_image(text);
  const auto json = promenade::schema::parse_json(text);
  if (!ok_or_told(json)) return 0;
  // By the keys that only the one or the other has: a message is the dearest part of an input.
  if (has_key(*json, {"curves", "lean_deg", "crouch_deg", "step_width_m"})) return try_style(text);
  if (has_key(*json, {"characters", "crowds", "things", "blocks", "script", "camera"})) {
    return try_scene(text);
  }
  if (has_key(*json, {"tries", "pick_up", "haul"})) return try_tasks(text);
  return try_creature(text);
}
