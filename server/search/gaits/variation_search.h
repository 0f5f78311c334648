#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "promenade/v1/gait_study.pb.h"
#include "search/gaits/gait_look.h"

namespace promenade::search {

/// Why a direction goes no further.
enum class DirectionEnd : std::uint8_t {
  kFell,
  kWrong,
  kSlower,
  kFaster,
  kMixFell,
  kFailsLater,
  kFar
};
inline constexpr std::array<const char*, 7> kDirectionEnds = {
    "it falls",
    "an error of the physics",
    "it is more than 30 % slower",
    "it is more than 30 % faster",
    "the mix half the way there falls",
    "it falls or changes its speed after more strides",
    "as far as is explored"};

struct VariationOptions {
  int count = 9;
  int directions = 81;  // that are explored at most: in rounds, until there are enough
  std::uint64_t seed = 0;
  double strides = 10;  // of each trial
  int starts = 2;       // of each point; all must go on
  int threads = 0;      // 0: one for each processor
  std::string program;  // its version, for the origins of what is found
};

inline constexpr double kSimilar = 0.3;  // of the speed: gaits that differ by less are similar

/// The end of a direction: the farthest gait on it that goes on and is similar.
struct FoundVariation {
  int direction = 0;
  Vector places;
  double reach = 0;  // root mean square over the free numbers, 1 is the range of one
  DirectionEnd end = DirectionEnd::kFar;
  GaitLook look;
};

struct FoundVariations {
  GaitLook nominal;
  std::vector<FoundVariation> chosen;                       // up to `count`
  std::size_t explored = 0, usable = 0;                     // directions; those with a variation
  std::array<std::uint64_t, kDirectionEnds.size()> ends{};  // of all directions
};

/// Explores random directions from a gait, each as far as it goes on and its speed is similar, and
/// keeps those ends that lie farthest apart, from the gait and from each other, where the eye can
/// tell them. The result does not depend on `threads`.
/// @param source  of the gait, for errors: one that does not go on itself has no variations
/// Source: Panne1996, "Parameterizing motions"
schema::Result<FoundVariations> find_variations(const GaitSurroundings& about,
                                                const VariationOptions& options,
                                                const schema::Source& source);

/// The method that origins of variations name: their `trial` is the number of the direction.
inline constexpr const char* kVariationMethod = "directions";

/// Explores once more the direction of which a variation's origin tells.
/// @return the states that it comes to; without any where it comes to no variation; the error of
/// find_variations()
schema::Result<google::protobuf::RepeatedPtrField<v1::GaitState>> states_again(
    const GaitSurroundings& about, const v1::GaitOrigin& origin, const schema::Source& source);

/// Of points, the `count` that lie farthest apart: first the one farthest from all of `from`, then
/// each time the one whose nearest among `from` and those chosen is farthest.
/// @param least  distance to the nearest; nearer ones are left out
/// @return indices of `points`
std::vector<std::size_t> farthest_apart(const std::vector<std::vector<double>>& points,
                                        const std::vector<std::vector<double>>& from,
                                        std::size_t count, double least);

/// The gait's file with its variations, and what each looks like.
v1::GaitVariations message_of(const GaitSurroundings& about, const FoundVariations& found,
                              const VariationOptions& options);

}  // namespace promenade::search
