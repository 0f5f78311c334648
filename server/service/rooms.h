#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/room_host.h"

namespace promenade::service {

/// How far a room is that is being made.
struct Making {
  std::string scene;
  double share = 0;   // of the work that is done, 0 to 1
  std::string doing;  // for people
};

/// All rooms of the process; the first is the default one. Rooms may come and go while the server
/// runs: who uses one shares it, so that it lasts as long as it is used. Any thread.
class Rooms {
 public:
  explicit Rooms(std::shared_ptr<const Library> library) : library_(std::move(library)) {}

  const std::shared_ptr<const Library>& library() const { return library_; }
  /// Keeps the place of a room that is being made. @return false: there is such a room already
  bool begin(const std::string& id, const std::string& scene);
  /// How far it is. @return false: nobody waits for it any more
  bool tell(const std::string& id, const Making& making);
  /// It will not be made after all.
  void give_up(const std::string& id);
  /// No room that is being made is wanted any more.
  void give_up_all();
  bool given_up() const;
  /// @return false: there is a room of that id already, and nothing has changed
  bool add(std::shared_ptr<RoomHost> room);
  /// Takes a room out; it runs on. Null if there is none, or it is being made.
  std::shared_ptr<RoomHost> take_out(std::string_view id);

  /// @param id  empty: the default room. @return null if there is none, or it is being made
  std::shared_ptr<RoomHost> find(std::string_view id) const;
  std::vector<std::shared_ptr<RoomHost>> all() const;
  struct InTheMaking {
    std::string id;
    Making making;
  };
  /// @param id  empty: the default room. @return nothing if no room of that id is being made
  std::optional<InTheMaking> making(std::string_view id) const;
  std::vector<InTheMaking> all_making() const;
  /// For people: "is being made: measuring how people walk, 12 of 30 (40 %)".
  static std::string text_of(const Making& making);

  /// Calls look() a few times a second, on a network thread, until it returns false.
  void wait(std::function<bool()> look);
  /// To be called a few times a second.
  void look_again();

  /// The error for an id that find() does not know: what is being made is told. Rooms that are
  /// entered by link are not named.
  world::CommandError not_found(std::string field, std::string_view id) const;

 private:
  const std::shared_ptr<const Library> library_;
  mutable std::mutex mutex_;
  /// A room, or the place of one that is being made.
  struct Place {
    std::string id;
    std::shared_ptr<RoomHost> room;  // null: it is being made
    Making making = {};
  };
  const Place* place(std::string_view id) const;  // @pre the lock is held

  std::vector<Place> places_;
  std::vector<std::function<bool()>> waiting_;
  bool given_up_ = false;
};

}  // namespace promenade::service
