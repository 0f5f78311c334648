#pragma once

#include <cstdint>
#include <memory>

#include "world/showing/snapshot.h"

namespace promenade::world {

/// The roster of a room, made when a snapshot first needs it and kept until something in it
/// changes.
class KeptRoster {
 public:
  /// Something that viewers are told has changed.
  void changed() {
    kept_.reset();
    ++version_;
  }
  /// To be called where definitions behind the roster's names have changed, but nothing that
  /// viewers are told.
  void definitions_changed() { kept_.reset(); }
  /// Versions go on from those of a room whose place this one takes.
  void follow(const KeptRoster& before) {
    version_ += before.version_;
    changed();
  }
  std::uint64_t version() const { return version_; }
  /// @param make  make(), which makes it anew
  template <typename Make>
  const std::shared_ptr<const Roster>& get(Make&& make) {
    if (!kept_) kept_ = make();
    return kept_;
  }

 private:
  std::shared_ptr<const Roster> kept_;  // null: to be made anew
  std::uint64_t version_ = 0;
};

}  // namespace promenade::world
