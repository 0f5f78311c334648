#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/rooms/room_host.h"

namespace promenade::service {

/// How far a room is that is being made.
struct Making {
  v1::RoomSpec spec;  // with which it is made
  double share = 0;   // of the work that is done, 0 to 1
  std::string doing;  // for people

  /// For people: "is being made: measuring how people walk, 12 of 30 (40 %)".
  std::string text() const;
  v1::Making message() const;
};

/// All rooms of the process. Rooms may come and go while the server runs: its users share a room,
/// so that it lasts as long as it is used. Any thread.
class Rooms {
 public:
  explicit Rooms(std::shared_ptr<const Library> library) : library_(std::move(library)) {}

  const std::shared_ptr<const Library>& library() const { return library_; }
  /// Keeps the place of a room that is going to be made. @return false: there is such a room
  /// already
  bool begin(const v1::RoomSpec& spec);
  /// How far it is. @return false: nobody waits for it any more
  bool tell(const std::string& id, double share, const std::string& doing);
  /// It will not be made after all.
  void give_up(const std::string& id);
  /// No room that is being made is wanted any more.
  void give_up_all();
  bool given_up() const;
  /// @return false: there is a room of that id already, and nothing has changed
  bool add(std::shared_ptr<RoomHost> room);
  /// Takes a room out; it runs on. Null if there is none, or it is being made.
  std::shared_ptr<RoomHost> take_out(std::string_view id);

  /// @param id  empty: the default room, the first that nobody needs a link for
  /// @return null if there is none, or it is being made
  std::shared_ptr<RoomHost> find(std::string_view id) const;
  std::vector<std::shared_ptr<RoomHost>> all() const;
  /// @param id  as of find(). @return nothing if no room of that id is being made
  std::optional<Making> making(std::string_view id) const;
  std::vector<Making> all_making() const;
  /// How many there are, with those that are being made.
  std::size_t count() const;
  /// The id of a room, or for visitors who may not know it (rooms entered by link are for admins
  /// and for those with the link) a name that is always the same while the server runs and tells
  /// nothing.
  static std::string name_for(const v1::RoomSpec& spec, bool admin);
  static std::string name_for(const RoomHost& room, bool admin) {
    return name_for(*room.spec(), admin);
  }

  /// Calls look() a few times a second and when a room is there, on any thread, until it returns
  /// false.
  void wait(std::function<bool()> look);
  /// To be called a few times a second.
  void look_again();

  /// The error for an id that find() does not know: it tells of a room that is being made. Rooms
  /// that are entered by link are not named.
  world::CommandError not_found(std::string field, std::string_view id) const;

 private:
  /// A room, or the place of one that is being made.
  struct Place {
    std::string id;
    std::shared_ptr<RoomHost> room;  // null: it is being made
    Making making = {};

    v1::RoomSpec spec() const { return room ? *room->spec() : making.spec; }
    bool by_link() const { return spec().by_link(); }
  };
  const Place* place(std::string_view id) const;  // @pre the lock is held

  const std::shared_ptr<const Library> library_;
  mutable std::mutex mutex_;
  std::vector<Place> places_;
  std::vector<std::function<bool()>> waiting_;
  bool given_up_ = false;
};

}  // namespace promenade::service
