#include "service/rooms.h"

#include "api/replies.h"
#include "world/format.h"

namespace promenade::service {

world::CommandError Rooms::not_found(std::string field, std::string_view id) const {
  std::string ids;
  for (const auto& host : hosts) ids += (ids.empty() ? "" : ", ") + host->id();
  return api::make_error(world::CommandError::Code::kNotFound,
                         "there is no room " + world::format_quoted(id) + "; there is: " + ids,
                         std::move(field), world::format_quoted(id), ids);
}

}  // namespace promenade::service
