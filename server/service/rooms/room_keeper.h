#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "promenade/v1/people.pb.h"
#include "service/people/people.h"
#include "service/rooms/rooms.h"
#include "service/store/saved.h"
#include "service/worker.h"

namespace promenade::service {

/// Makes, configures and closes rooms while the server runs, and keeps them in the store for its
/// next start. Scenes are loaded and rooms stopped on the worker's thread. Any thread may call it.
class RoomKeeper {
 public:
  static constexpr std::size_t kMaxRooms = 64;
  static constexpr std::size_t kMaxTitle = 80;  // bytes of a title

  /// Makes a room that does not tick yet. Throws world::RoomError. @param why_here  for the log
  using Make =
      std::function<std::shared_ptr<RoomHost>(const v1::RoomSpec&, const std::string& why_here)>;
  /// Called once, on any thread.
  using Reply = std::function<void(std::variant<v1::RoomSpec, world::CommandError>)>;

  /// Puts the files of a room that has stopped where no room of its id goes on from them. @return
  /// what went wrong; empty: nothing
  using PutAway = std::function<std::string(const std::string& id)>;

  RoomKeeper(Rooms& rooms, People& people, SavedDefinitions& saved, Worker& worker, Make make,
             PutAway put_away)
      : rooms_(rooms),
        people_(people),
        saved_(saved),
        worker_(worker),
        make_(std::move(make)),
        put_away_(std::move(put_away)) {}

  struct Planned {
    v1::RoomSpec spec;
    std::string why_here;  // for the log
  };
  /// The rooms of the server's start: those of its settings, configured as the store has kept them,
  /// then those that only the store has. They have their places in Rooms from then on. Waits for
  /// the store.
  std::vector<Planned> plan(const std::vector<v1::RoomSpec>& of_settings,
                            const std::string& why_here);
  /// Makes these and lets them tick; ends early where they are given up. One that only the store
  /// has and that cannot be made is left out with a line in the log. Runs on the worker's thread.
  /// @return why one of the settings cannot be made
  std::optional<std::string> take_up(const std::vector<Planned>& planned);

  void make(v1::RoomSpec spec, const Reply& reply);
  /// Called once, on any thread. @param changes  as in `title "a" to "b", by_link true to false`
  using Configured = std::function<void(std::variant<v1::RoomSpec, world::CommandError>,
                                        const std::string& changes)>;
  /// Configures a room that is there. Fields that are left out stay as they are; scene and greatest
  /// number of characters can be named, and not be changed.
  void configure(const v1::RoomSpec& spec, const Configured& reply);
  /// Tells the viewers, closes their connections and puts the room's files away. Rooms of the
  /// server's settings stay.
  void close(const std::string& id, const Reply& reply);

 private:
  std::optional<world::CommandError> check(const v1::RoomSpec& spec) const;
  void keep(const v1::RoomSpec& spec, const Reply& reply);
  std::vector<store::Records::Entry> kept() const;

  Rooms& rooms_;
  People& people_;
  SavedDefinitions& saved_;
  Worker& worker_;
  const Make make_;
  const PutAway put_away_;
  // Held from a look at a room's spec until the new one is set and on its way into the store, so
  // that of two who configure a room at once none takes back what the other set.
  std::mutex configuring_;
};

}  // namespace promenade::service
