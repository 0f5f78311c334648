#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "world/library/library.h"
#include "world/showing/snapshot.h"

namespace promenade::isolation {

/// Snapshots to bytes. The roster goes along only when it is another object than that of the
/// snapshot before, and a definition only when the roster before did not have it: a decoder must be
/// given all snapshots in their order. One thread at a time.
class SnapshotEncoder {
 public:
  void encode(const world::Snapshot& snapshot, std::string& out);

 private:
  template <typename Definition>
  std::uint64_t number_of(const std::shared_ptr<const Definition>& definition, bool thing);

  struct Known {
    std::shared_ptr<const void> kept;  // so that nothing else is made at its address
    std::uint64_t number = 0;
    bool used = false;
  };
  std::shared_ptr<const world::Roster> roster_;
  std::map<const void*, Known> known_;
  std::uint64_t last_number_ = 0;
  std::map<std::uint64_t, std::string> fresh_;  // encoded, by number
};

/// The other end. What it returns can be used like a snapshot of this process: definitions that are
/// built in are the library's own, and indices and counts fit each other, whatever the bytes say.
class SnapshotDecoder {
 public:
  /// @param epoch, version  are added to those of rosters: those of a process begin anew
  SnapshotDecoder(std::shared_ptr<const Library> library, std::uint64_t epoch,
                  std::uint64_t version)
      : library_(std::move(library)), epoch_(epoch), version_(version) {}

  /// Null where the bytes are no snapshot; the decoder must then not be used again.
  std::shared_ptr<const world::Snapshot> decode(std::string_view bytes);

 private:
  const std::shared_ptr<const Library> library_;
  const std::uint64_t epoch_, version_;
  std::shared_ptr<const world::Roster> roster_;
  std::map<std::uint64_t, std::shared_ptr<const world::CreatureDefinition>> bodies_;
  std::map<std::uint64_t, std::shared_ptr<const world::StyleDefinition>> styles_;
  std::map<std::uint64_t, std::shared_ptr<const world::GaitDefinition>> gaits_;
};

}  // namespace promenade::isolation
