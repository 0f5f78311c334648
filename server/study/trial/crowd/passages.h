#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "world/library/library.h"

namespace promenade::trial {

/// People in full physics of four bodies in the normal style where there is little room to the
/// sides.
struct Passage {
  enum class Kind : int {
    kDoor,     // kDoorPeople stand before a wall and are told to go to places behind it
    kCorridor  // walkers come from both ends of a corridor of 16 m at 1 m/s
  };
  Kind kind = Kind::kDoor;
  double wide = 1.2;  // m
  int each_way = 1;   // people, of a corridor
};
inline constexpr int kDoorPeople = 60;
inline constexpr double kPassageSeconds = 100;

struct PassageRun {
  int through = 0;  // people
  double rate = 0;  // people a second through a door, without the first and the last tenth of them
  /// s, from where those of a corridor who are first are 2 m apart to where all have passed one
  /// another; infinite: they did not
  double passed_in = 0;
  int falls = 0;
};

/// A library that also has the scenes of these passages, which run_passage() finds.
/// @throws std::runtime_error where the directory's files are wrong or cannot be copied
std::shared_ptr<const Library> with_passage(const std::filesystem::path& data_dir,
                                            const Passage& passage);

/// Runs the passage of a library made by with_passage(). The seed moves each start by up to 0.1 m.
PassageRun run_passage(const std::shared_ptr<const Library>& library, const Passage& passage,
                       std::uint64_t seed);

}  // namespace promenade::trial
