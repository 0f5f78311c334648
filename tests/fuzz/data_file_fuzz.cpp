// The JSON of creatures and things, styles and scenes: as text, and as a creature that is checked,
// built and scaled.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "creature/biped/biped.h"
#include "creature/creature_builder.h"
#include "creature/creature_edit.h"
#include "creature/creature_resolve.h"
#include "schema/json.h"
#include "schema/message.h"

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

void try_creature(std::string_view text) {
  using namespace promenade;
  const auto parsed = schema::parse_message<v1::Creature>(text);
  if (!ok_or_told(parsed)) return;
  const auto whole = resolve_creature(*parsed, nullptr, "none", {});
  if (!ok_or_told(whole)) return;
  const auto creature = build_creature(*whole);
  if (!ok_or_told(creature)) return;
  ok_or_told(biped_of(*creature));
  if (!std::isfinite(creature->standing_height) || !(creature->total_mass > 0)) {
    fail("a creature that was accepted has no height or no mass");
  }
  v1::BodyEdit edit;
  edit.set_scale(2);
  ok_or_told(build_creature(apply_edit(*whole, edit)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (ok_or_told(promenade::schema::parse_json(text))) try_creature(text);
  return 0;
}
