#include "service/rooms.h"

#include "api/replies.h"
#include "schema/refusal.h"

namespace promenade::service {

world::CommandError Rooms::not_found(std::string field, std::string_view id) const {
  std::string ids;
  for (const auto& host : hosts) ids += (ids.empty() ? "" : ", ") + host->id();
  return api::make_error(world::CommandError::Code::kNotFound,
                         "there is no room " + schema::in_quotes(id) + "; there is: " + ids,
                         std::move(field), schema::in_quotes(id), ids);
}

}  // namespace promenade::service
