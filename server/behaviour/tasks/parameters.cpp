#include "behaviour/tasks/parameters.h"

#include "schema/check.h"
#include "schema/message.h"
#include "schema/parameters.h"
#include "schema/refusal.h"

namespace promenade::behaviour::tasks {

schema::Result<std::shared_ptr<const v1::TaskParameters>> load_parameters(
    const std::filesystem::path& file) {
  auto loaded = schema::load_message<v1::TaskParameters>(file);
  if (!loaded) return loaded.error();
  if (auto error = schema::check_parameters(loaded->message, loaded->source)) {
    return *std::move(error);
  }
  // Between the two a hand begins to rise before it goes level.
  const v1::HandPathParameters& path = loaded->message.hand_path();
  if (!(path.hardly_up_m() < path.far_up_m())) {
    schema::Checker check(loaded->source);
    check.fail("hand_path.far_up_m", schema::number(path.far_up_m()),
               "more than hardly_up_m, " + schema::number(path.hardly_up_m()));
    return check.error();
  }
  return std::make_shared<const v1::TaskParameters>(std::move(loaded->message));
}

}  // namespace promenade::behaviour::tasks
