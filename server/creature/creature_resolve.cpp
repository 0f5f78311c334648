#include "creature/creature_resolve.h"

#include <utility>

#include "creature/biped/biped.h"
#include "creature/creature_builder.h"
#include "creature/creature_checks.h"
#include "creature/creature_edit.h"
#include "schema/check.h"

namespace promenade {

schema::Result<v1::Creature> resolve_creature(const v1::Creature& given, const v1::Creature* base,
                                              const std::string& known,
                                              const schema::Source& source) {
  const auto refuse = [&source](const std::string& key, std::string value, std::string allowed,
                                std::string message = "") {
    return schema::FileError{source.file,      source.line(key),   key,
                             std::move(value), std::move(allowed), std::move(message)};
  };
  if (given.base().empty()) {
    if (given.has_edit()) {
      return refuse("edit", "", "given together with the `base` that it edits",
                    "an edit of nothing");
    }
    if (auto error = check_creature(given, source)) return *std::move(error);
    v1::Creature whole = in_model_order(given);
    add_limbs_by_part_names(&whole);
    return whole;
  }
  if (auto error = check_labels(given, source)) return *std::move(error);
  for (const auto& [key, count] :
       {std::pair{"links", given.links_size()}, std::pair{"joints", given.joints_size()},
        std::pair{"limbs", given.limbs_size()}, std::pair{"ties", given.ties_size()},
        std::pair{"coats", given.coats_size()}, std::pair{"ornaments", given.ornaments_size()}}) {
    if (count > 0) {
      return refuse(key, std::to_string(count) + " entries", "left out when `base` is given");
    }
  }
  if (!base) return refuse("base", schema::in_quotes(given.base()), known);
  if (auto error = check_edit(*base, given.edit(), source)) return *std::move(error);
  v1::Creature whole = apply_edit(*base, given.edit());
  whole.set_name(given.name());
  whole.set_title(given.title());
  whole.set_description(given.description());
  if (!given.color().empty()) whole.set_color(given.color());
  if (given.look() != v1::Creature::PLAIN) whole.set_look(given.look());
  // An error here is in no line of the file of `given`, so this check gets no lines.
  if (auto error = check_creature(whole, {})) {
    return refuse("edit", "", "", "gives an impossible body: " + error->what());
  }
  return whole;
}

}  // namespace promenade
