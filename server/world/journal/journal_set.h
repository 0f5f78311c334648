#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace promenade::world {

/// The files that a room keeps in a directory:
///   ROOM.000001.journal            a segment of its journal; numbers grow, none is used twice
///   ROOM.000001.checkpoint         the state that the segment starts from, unless the scene's own
///   ROOM.000001.at-4711.checkpoint the state after the segment's first 4711 bytes
class JournalSet {
 public:
  JournalSet(std::filesystem::path directory, std::string room)
      : directory_(std::move(directory)), room_(std::move(room)) {}

  /// A state on the disk: of the segment's start, or after `offset` bytes of it.
  struct Point {
    std::uint32_t segment = 0;
    std::uint64_t offset = 0;  // 0: the start
    std::uint64_t bytes = 0;
    std::filesystem::path path;
  };
  struct Segment {
    std::uint32_t number = 0;
    std::uint64_t bytes = 0;
    std::filesystem::path path;
  };
  struct Files {
    std::vector<Segment> segments;  // by ascending number
    std::vector<Point> points;      // by ascending segment and offset
    std::uint64_t bytes() const;    // of all
    /// A number above that of every file there.
    std::uint32_t next_number() const;
  };
  /// The files that are there; files of other names are passed over.
  Files list() const;

  std::filesystem::path segment_path(std::uint32_t number) const;
  std::filesystem::path point_path(std::uint32_t segment, std::uint64_t offset) const;
  const std::filesystem::path& directory() const { return directory_; }
  const std::string& room() const { return room_; }

  /// Removes old states and then the oldest segments while all together are larger than
  /// `most_bytes` or more than kMostSegments. Stay: the newest segment, the one before it, and
  /// the two newest points of the newest.
  void prune(std::uint64_t most_bytes) const;
  static constexpr std::size_t kMostSegments = 1000;

  /// The ids of the rooms that have a segment in a directory, sorted.
  static std::vector<std::string> rooms_in(const std::filesystem::path& directory);

 private:
  std::filesystem::path directory_;
  std::string room_;
};

}  // namespace promenade::world
