#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "net/limits/token_bucket.h"
#include "net/types.h"
#include "promenade/v1/wire.pb.h"
#include "service/version.h"
#include "world/command/command.h"

namespace promenade::service {

using VisitorsVersion = Version<v1::Visitors>;

/// The visitors with a connection to a room, as they see each other: names and colours, what they
/// attend to, what they have done. Nothing in the room depends on it, so it is neither simulated
/// nor recorded, and the telling is bounded: lists and attention a few times a second, only when
/// they have changed. Any thread.
class Company {
 public:
  using Time = net::Clock::time_point;
  static constexpr std::size_t kColors = 12;
  static constexpr int kMostAttending = 16;  // visitors whose attention is told
  static constexpr std::chrono::milliseconds kListEvery{250};
  static constexpr std::chrono::seconds kHandlesFor{3};
  static constexpr std::chrono::milliseconds kSameAct{500};  // acts of a kind within it: told once
  static constexpr const char* kNobodysColor = "#646a73";

  /// The attention of a visitor, as its page says.
  struct Attending {
    std::vector<world::CharacterId> selected;
    std::vector<std::int32_t> pointer;  // [3] stream::kPositionUnit; empty: not on the ground
  };

  /// A connection of a visitor comes or goes.
  /// @param name  as chosen; one that cannot be shown, or none, is replaced by a made-up one
  void enter(const std::string& visitor, const std::string& name);
  void leave(const std::string& visitor);
  /// @pre the name can be shown, or is empty. @return the name by which others see the visitor now
  std::string rename(const std::string& visitor, const std::string& name);
  void attend(const std::string& visitor, Attending attending, Time now);
  /// The visitor steers or drags a character or thing.
  void handle(const std::string& visitor, world::CharacterId what, Time now);
  /// Another scene: the things attended to are gone.
  void forget_attention();
  std::size_t size() const;

  /// The changes since the last call that are due; null where nothing has changed.
  struct News {
    std::shared_ptr<const VisitorsVersion> visitors;
    net::Bytes attention;
    bool any() const { return visitors || attention; }
  };
  News news(Time now);
  /// The last version that news() gave; null before.
  std::shared_ptr<const VisitorsVersion> last_told() const;
  net::Bytes last_attention() const;  // the last that news() gave

  /// An act with the name and colour of its visitor, encoded; null if it is not to be told: too
  /// many are, or the same was just before.
  net::Bytes tell(const std::string& visitor, v1::Act act, Time now);
  /// The last pause or resume; null: none.
  net::Bytes last_of_clock() const;

 private:
  struct Visitor {
    std::uint32_t number = 0;
    std::string name;
    std::size_t color = 0;  // index
    int connections = 0;
    Attending attending;
    world::CharacterId handles = 0;
    Time handled{}, active{};
    bool attends() const {
      return !attending.selected.empty() || !attending.pointer.empty() || handles != 0;
    }
  };
  using ActKey = std::pair<std::string, std::pair<std::string, world::CharacterId>>;

  // These are called with mutex_ held.
  std::string free_name(const std::string& visitor) const;
  std::size_t free_color(const std::string& visitor) const;
  std::shared_ptr<const VisitorsVersion> next_list();
  net::Bytes next_attention() const;

  mutable std::mutex mutex_;
  std::map<std::string, Visitor> visitors_;  // by id
  std::uint32_t last_number_ = 0;
  std::uint64_t version_ = 0;
  bool list_changed_ = false, attention_changed_ = false;
  Time list_told_{};
  std::shared_ptr<const VisitorsVersion> last_told_;
  net::Bytes last_attention_;
  std::map<ActKey, Time> acts_;  // when they were told last
  net::TokenBucket acts_left_{50, 100, Time{}};
  net::Bytes of_clock_;
};

}  // namespace promenade::service
