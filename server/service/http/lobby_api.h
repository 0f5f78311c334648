#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "net/http/http_types.h"
#include "service/rooms/picture.h"
#include "service/viewers/api_context.h"

namespace promenade::service {

/// GET /api/v1/lobby?rooms=ID,ID: small moving pictures of rooms. A picture is made at most every
/// kEvery and only while somebody asks for it, however many do; sleeping rooms sleep on. The
/// constructor's arguments must outlive the object. Any thread may call it.
class LobbyApi {
 public:
  /// Time between two moments of a picture.
  static constexpr std::chrono::milliseconds kEvery{200};
  /// Pictures in one answer, which so stays below 64 KB.
  static constexpr std::size_t kMostRooms = 8;

  explicit LobbyApi(const ApiContext& context) : context_(context) {}

  /// @return false where the path is another one; then `reply` is left alone
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;
  /// Takes the next moment of every room that somebody looks at. Call it every kEvery.
  void sample();
  /// Encoded so far.
  std::uint64_t encoded() const;

 private:
  struct Entry {
    explicit Entry(const RoomHost& of) : picture(of.id(), of.tick_seconds()) {}
    std::weak_ptr<const RoomHost> room;
    Picture picture;
    std::weak_ptr<const Publication> last;  // in the picture
    bool asleep = false;
    std::string bytes;      // of the picture; empty: not encoded since its last moment
    std::uint64_t tag = 0;  // another one for other bytes
    net::Clock::time_point asked;
  };
  net::HttpResponse answer(const net::HttpRequest& request) const;
  void update(const RoomHost& room, Entry& entry) const;

  const ApiContext& context_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Entry, std::less<>> entries_;  // by room
  mutable std::uint64_t encoded_ = 0;
};

}  // namespace promenade::service
