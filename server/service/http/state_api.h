#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "net/http/http_types.h"
#include "service/rooms/room_host.h"

namespace promenade::service {

/// The states of rooms as JSON: GET /api/v1/rooms/{id}/state. A state is encoded once, however many
/// ask for it, for that takes longer than all the rest of an answer. Any thread.
class StateApi {
 public:
  net::HttpResponse of(const RoomHost& room) const;

 private:
  struct Encoded {
    std::weak_ptr<const Publication> publication;  // it was made of this
    net::Bytes json;
  };
  mutable std::mutex mutex_;
  mutable std::map<std::string, Encoded> newest_;  // by room
};

}  // namespace promenade::service
