#include "character/body_resolve.h"

#include <utility>

#include "character/body_builder.h"
#include "character/body_checks.h"
#include "character/body_edit.h"
#include "schema/check.h"

namespace promenade {

schema::Result<v1::Character> resolve_body(const v1::Character& given, const v1::Character* base,
                                           const std::string& known, const schema::Source& source) {
  const auto refuse = [&source](const std::string& key, std::string value, std::string allowed,
                                std::string message = "") {
    return schema::FileError{source.file,      source.line(key),   key,
                             std::move(value), std::move(allowed), std::move(message)};
  };
  if (given.base().empty()) {
    if (given.has_edit()) {
      return refuse("edit", "", "beside the `base` that it edits", "an edit of nothing");
    }
    if (auto error = check_body(given, source)) return *std::move(error);
    return in_model_order(given);
  }
  if (auto error = check_labels(given, source)) return *std::move(error);
  for (const auto& [key, count] :
       {std::pair{"links", given.links_size()}, std::pair{"joints", given.joints_size()}}) {
    if (count > 0) {
      return refuse(key, std::to_string(count) + " entries", "left out where `base` is given");
    }
  }
  if (!base) return refuse("base", schema::in_quotes(given.base()), known);
  if (auto error = check_edit(*base, given.edit(), source)) return *std::move(error);
  v1::Character whole = apply_edit(*base, given.edit());
  whole.set_name(given.name());
  whole.set_title(given.title());
  whole.set_description(given.description());
  if (!given.color().empty()) whole.set_color(given.color());
  // Lines of the base's file would mislead, so this check gets none.
  if (auto error = check_body(whole, {})) {
    return refuse("edit", "", "", "gives a body that cannot be: " + error->what());
  }
  return whole;
}

}  // namespace promenade
