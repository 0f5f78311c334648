#pragma once

#include <array>
#include <string>
#include <vector>

#include "promenade/v1/gait_study.pb.h"
#include "search/gaits/gait_surroundings.h"

namespace promenade::search {

struct LandscapeOptions {
  std::vector<std::string> axes;  // two names of free numbers: across, then up; none: the first two
  std::string figure = "speed";
  int points = 31;  // along each axis
  double strides = 6;
  int starts = 2;
  int threads = 0;  // 0: one for each processor
};

inline constexpr int kFewestPoints = 3, kMostPoints = 61;  // along an axis

/// The free numbers that the options name. @return an error with the key `axes` where one does not
/// exist
schema::Result<std::array<int, 2>> axes_of(const GaitSpace& space,
                                           const std::vector<std::string>& axes,
                                           const schema::Source& source);

/// A figure of a gait over a grid of two of its free numbers, from end to end of their ranges; all
/// others stay. A point that falls from some start is told apart.
/// @return an error with the key `axes` or `figure` where there is none of that name
/// Source: Panne1996, figure 9
schema::Result<v1::GaitLandscape> landscape_of(const GaitSurroundings& about,
                                               const LandscapeOptions& options,
                                               const schema::Source& source);

}  // namespace promenade::search
