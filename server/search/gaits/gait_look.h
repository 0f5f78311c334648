#pragma once

#include <vector>

#include "promenade/v1/gait_study.pb.h"
#include "search/gaits/gait_surroundings.h"
#include "study/trial/gait/gait_take.h"

namespace promenade::search {

/// What a gait looks like: how its trial went, and a take of its last strides.
struct GaitLook {
  trial::GaitMeasures measures;
  double period = 0;  // s, of a stride
  trial::GaitTake take;
};

/// A trial of a point with a take of two strides at its end.
GaitLook look_at(const GaitSurroundings& about, const Vector& places, double strides,
                 std::uint64_t seed);

/// [figures] numbers by which two gaits look different, each in units of a difference that the eye
/// just notices; phases stand there as points of a circle.
/// @param of  a trial that went on
std::vector<double> looks_of(const GaitSurroundings& about, const GaitLook& of);
/// Root of the sum of the squares over looks_of().
double distance_of(const std::vector<double>& a, const std::vector<double>& b);
/// How one differs from another in words, the greatest differences first: "higher, bouncier";
/// empty: in nothing that has a word.
std::string words_for(const GaitSurroundings& about, const GaitLook& nominal, const GaitLook& of);

/// The same as a message, without name, words, reach and end.
v1::GaitLook message_of(const GaitSurroundings& about, const GaitLook& look);

}  // namespace promenade::search
