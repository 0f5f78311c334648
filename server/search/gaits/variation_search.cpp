#include "search/gaits/variation_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/random.h"
#include "physics/gravity.h"
#include "schema/refusal.h"
#include "study/trial/gait/gait_name.h"
#include "study/trial/rig/parallel.h"

namespace promenade::search {
namespace {

// Distances from the gait, root mean square over the free numbers, at which a direction is tried.
constexpr std::array<double, 8> kSteps = {0.02, 0.04, 0.07, 0.1, 0.14, 0.19, 0.25, 0.32};
constexpr int kHalvings = 2;        // between the last step that went on and the first that did not
constexpr double kLeast = 0.01;     // nearer ones cannot be told from the gait
constexpr double kBack = 0.7;       // of the way, where the mix or more strides fail
constexpr int kMostBack = 3;        // times
constexpr double kMoreStrides = 3;  // times those of a trial, for what is kept
constexpr int kRound = 27;          // directions, before it is seen whether there are enough
constexpr double kTold = 1;         // distance of looks at which the eye tells two gaits apart
constexpr double kSlowest = 0.02;   // of sqrt(g h): slower gaits do not go anywhere

class Explorer {
 public:
  Explorer(const GaitSurroundings& about, const VariationOptions& options, double speed)
      : about_(about), options_(options), speed_(speed) {}

  /// @return with a look where the direction came to a variation
  std::pair<FoundVariation, bool> explore(int direction) const {
    FoundVariation out;
    out.direction = direction;
    const Vector along = drawn(direction);
    double good = 0;
    for (const double step : kSteps) {
      out.end = tried(at(along, step));
      if (out.end != DirectionEnd::kFar) {
        good = halved(along, good, step, out.end);
        break;
      }
      good = step;
    }
    for (int back = 0; back < kMostBack && good >= kLeast; ++back, good *= kBack) {
      out.places = at(along, good);
      const DirectionEnd fault = kept(out);
      if (fault == DirectionEnd::kFar) return {std::move(out), true};
      out.end = fault;
    }
    return {std::move(out), false};
  }

 private:
  // Looks at a gait more closely before it is kept. @return kFar: it can be
  DirectionEnd kept(FoundVariation& one) const {
    const DirectionEnd end = tried(one.places, 1, 0, options_.starts);
    if (end != DirectionEnd::kFar) return end;
    if (tried(one.places, 0.5, 0, options_.starts) != DirectionEnd::kFar) {
      return DirectionEnd::kMixFell;
    }
    one.look = look_at(about_, one.places, kMoreStrides * options_.strides,
                       std::uint64_t(options_.starts));
    if (one.look.measures.end != trial::GaitEnd::kWentOn || !similar(one.look.measures)) {
      return DirectionEnd::kFailsLater;
    }
    const Vector way = one.places - about_.space().start();
    one.reach = way.norm() / std::sqrt(double(way.size()));
    return DirectionEnd::kFar;
  }

  // Of unit root mean square. Some directions change few numbers, so that one thing is seen; a part
  // of each is the same in every state of a joint: a posture.
  Vector drawn(int direction) const {
    Random random = Random::stream(options_.seed, std::uint64_t(direction));
    constexpr std::array<double, 3> kShares = {1, 0.5, 0.25};
    const double share = kShares[random.below(kShares.size())];
    const double posture = random.uniform();
    const std::vector<int> of = about_.space().coordinates();
    Vector out = Vector::Zero(about_.space().dimension());
    std::vector<double> offset;  // [coordinates] NaN: not drawn yet
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      const bool changes = random.chance(share);
      const double own = random.normal();
      const int coordinate = of[std::size_t(i)];
      if (coordinate < 0) {
        if (changes) out[i] = own;
        continue;
      }
      if (offset.size() <= std::size_t(coordinate)) {
        offset.resize(std::size_t(coordinate) + 1, std::numeric_limits<double>::quiet_NaN());
      }
      double& common = offset[std::size_t(coordinate)];
      if (std::isnan(common)) common = random.chance(share) ? random.normal() : 0;
      out[i] = posture * common + (1 - posture) * (changes ? own : 0);
    }
    if (out.norm() == 0) out[Eigen::Index(random.below(std::uint64_t(out.size())))] = 1;
    return out * (std::sqrt(double(out.size())) / out.norm());
  }

  Vector at(const Vector& along, double step) const {
    return (about_.space().start() + step * along).cwiseMax(0).cwiseMin(1);
  }

  bool similar(const trial::GaitMeasures& measures) const {
    return std::abs(measures.forward - speed_) <= kSimilar * std::abs(speed_);
  }

  /// On the way one start has to do, a disturbed one where there are several.
  DirectionEnd tried(const Vector& places) const {
    return tried(places, 1, options_.starts - 1, options_.starts);
  }

  /// @param weight       of the point, in a mix with the gait
  /// @param first, last  starts, without the last
  /// @return kFar where it goes on from all of them and is similar
  DirectionEnd tried(const Vector& places, double weight, int first, int last) const {
    for (int start = first; start < last; ++start) {
      const trial::GaitMeasures m =
          about_.run(places, weight, options_.strides, std::uint64_t(start));
      if (m.end == trial::GaitEnd::kFell) return DirectionEnd::kFell;
      if (m.end != trial::GaitEnd::kWentOn) return DirectionEnd::kWrong;
      if (similar(m)) continue;
      return std::abs(m.forward) > std::abs(speed_) && m.forward * speed_ > 0
                 ? DirectionEnd::kFaster
                 : DirectionEnd::kSlower;
    }
    return DirectionEnd::kFar;
  }

  double halved(const Vector& along, double good, double bad, DirectionEnd& end) const {
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (good + bad);
      const DirectionEnd now = tried(at(along, middle));
      if (now == DirectionEnd::kFar) {
        good = middle;
      } else {
        bad = middle;
        end = now;
      }
    }
    return good;
  }

  const GaitSurroundings& about_;
  const VariationOptions& options_;
  const double speed_;  // m/s, of the gait
};

// How the gait itself goes. @return an error where it goes nowhere
schema::Result<GaitLook> nominal_of(const GaitSurroundings& about, const VariationOptions& options,
                                    const schema::Source& source) {
  GaitLook out = look_at(about, about.space().start(), kMoreStrides * options.strides,
                         std::uint64_t(options.starts));
  const trial::GaitMeasures& m = out.measures;
  const double size = std::max(1e-4, about.space().creature().standing_com_height);
  const bool up = m.end == trial::GaitEnd::kWentOn;
  if (up && std::abs(m.forward) >= kSlowest * std::sqrt(physics::kGravity * size)) return out;
  return schema::FileError{
      source.file,
      0,
      "states",
      up ? "a gait that stays where it is, at " + schema::number(m.forward) + " m/s"
         : std::string("a gait of which a trial ") + trial::kGaitEnds[std::size_t(m.end)],
      "a gait that goes on, whose speed tells what is similar",
      ""};
}

google::protobuf::RepeatedPtrField<v1::GaitState> states_of(const GaitSurroundings& about,
                                                            const Vector& places) {
  google::protobuf::RepeatedPtrField<v1::GaitState> out;
  control::posegraph::write_states(about.space().graph(places).cycle, about.space().creature(),
                                   &out);
  return out;
}

v1::GaitOrigin origin_of(const GaitSurroundings& about, const FoundVariation& one,
                         const VariationOptions& options) {
  v1::GaitOrigin out;
  out.set_program(options.program);
  v1::GaitSearch& search = *out.mutable_search();
  search.set_creature(about.message().creature());
  search.set_symmetry(about.message().symmetry());
  search.set_part(v1::GaitSearch::VARIANT);
  search.set_use(v1::GaitVariant::MIX);
  search.set_strides(std::uint32_t(options.strides));
  search.set_starts(std::uint32_t(options.starts));
  out.set_method(kVariationMethod);
  out.set_seed(options.seed);
  out.set_trial(std::uint64_t(one.direction));
  const trial::GaitMeasures& m = one.look.measures;
  out.set_speed_mps(m.forward);
  out.set_kind(std::string(trial::gait_name(about.trial().legs(), m.footfalls)));
  return out;
}

}  // namespace

std::vector<std::size_t> farthest_apart(const std::vector<std::vector<double>>& points,
                                        const std::vector<std::vector<double>>& from,
                                        std::size_t count, double least) {
  std::vector<double> nearest(points.size(), std::numeric_limits<double>::infinity());
  const auto note = [&](const std::vector<double>& other) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      nearest[i] = std::min(nearest[i], distance_of(points[i], other));
    }
  };
  for (const auto& other : from) note(other);
  std::vector<std::size_t> out;
  while (out.size() < std::min(count, points.size())) {
    const auto next =
        std::size_t(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    if (nearest[next] < least) break;
    out.push_back(next);
    note(points[next]);
    nearest[next] = -1;  // not again
  }
  return out;
}

schema::Result<FoundVariations> find_variations(const GaitSurroundings& about,
                                                const VariationOptions& options,
                                                const schema::Source& source) {
  auto nominal = nominal_of(about, options, source);
  if (!nominal) return nominal.error();
  FoundVariations out;
  out.nominal = *std::move(nominal);
  const Explorer explorer(about, options, out.nominal.measures.forward);
  std::vector<FoundVariation> usable;
  std::vector<std::vector<double>> looks;  // [usable]
  std::vector<std::size_t> chosen;
  const std::vector<double> itself = looks_of(about, out.nominal);
  while (chosen.size() < std::size_t(options.count) && int(out.explored) < options.directions) {
    const int round = std::min(kRound, options.directions - int(out.explored));
    std::vector<std::pair<FoundVariation, bool>> ends(static_cast<std::size_t>(round));
    trial::run_parallel(round, options.threads, [&](int i) {
      ends[std::size_t(i)] = explorer.explore(int(out.explored) + i);
    });
    out.explored += ends.size();
    for (auto& [one, came] : ends) {
      ++out.ends[std::size_t(one.end)];
      if (!came) continue;
      looks.push_back(looks_of(about, one.look));
      usable.push_back(std::move(one));
    }
    chosen = farthest_apart(looks, {itself}, std::size_t(options.count), kTold);
  }
  out.usable = usable.size();
  for (const std::size_t i : chosen) out.chosen.push_back(std::move(usable[i]));
  return out;
}

schema::Result<google::protobuf::RepeatedPtrField<v1::GaitState>> states_again(
    const GaitSurroundings& about, const v1::GaitOrigin& origin, const schema::Source& source) {
  VariationOptions options;
  options.seed = origin.seed();
  options.strides = double(origin.search().strides());
  options.starts = int(origin.search().starts());
  const auto nominal = nominal_of(about, options, source);
  if (!nominal) return nominal.error();
  const auto [one, came] =
      Explorer(about, options, nominal->measures.forward).explore(int(origin.trial()));
  if (!came) return google::protobuf::RepeatedPtrField<v1::GaitState>();
  return states_of(about, one.places);
}

v1::GaitVariations message_of(const GaitSurroundings& about, const FoundVariations& found,
                              const VariationOptions& options) {
  v1::GaitVariations out;
  *out.mutable_gait() = about.message();
  *out.mutable_nominal() = message_of(about, found.nominal);
  for (const FoundVariation& one : found.chosen) {
    v1::GaitVariant& variant = *out.mutable_gait()->add_variants();
    variant.set_name(variation_name(options.seed, one.direction));
    variant.set_use(v1::GaitVariant::MIX);
    *variant.mutable_states() = states_of(about, one.places);
    *variant.mutable_origin() = origin_of(about, one, options);
    v1::GaitLook& look = *out.add_variations();
    look = message_of(about, one.look);
    look.set_name(variant.name());
    look.set_words(words_for(about, found.nominal, one.look));
    look.set_reach(one.reach);
    look.set_end(kDirectionEnds[std::size_t(one.end)]);
  }
  out.set_directions(std::uint32_t(found.explored));
  for (std::size_t i = 0; i < found.ends.size(); ++i) {
    if (found.ends[i] == 0) continue;
    v1::SearchEnd& end = *out.add_ends();
    end.set_end(kDirectionEnds[i]);
    end.set_count(found.ends[i]);
  }
  return out;
}

}  // namespace promenade::search
