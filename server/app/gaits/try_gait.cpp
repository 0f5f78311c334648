#include "app/gaits/try_gait.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "app/gaits/gait_file.h"
#include "command/complain.h"
#include "study/trial/gait/gait_trial.h"
#include "study/trial/gait/hurdle_trial.h"
#include "study/trial/gait/mixed_gait.h"
#include "study/trial/gait/starts.h"
#include "study/trial/gait/way_trial.h"
#include "study/trial/rig/parallel.h"

namespace promenade::app {
namespace {

using control::posegraph::Gait;

/// Runs trials of one gait and prints them.
class Show {
 public:
  Show(const trial::GaitTrial& trial, std::shared_ptr<const Gait> gait, int starts, int threads)
      : trial_(trial), gait_(std::move(gait)), starts_(starts), threads_(threads) {}

  void alone() const {
    const Means means = mean_of(gait_, 60);
    std::printf("alone for a minute: %d of %d up, forward %.3g m/s, turning %.3g rad/s\n", means.up,
                starts_, means.forward, means.turning);
  }

  void curve(std::size_t variant) const {
    std::printf("\nvariant %s\nweight      up  forward m/s  turning rad/s\n",
                gait_->variants[variant].name.c_str());
    constexpr int kRows = 10;
    for (int i = 0; i <= kRows; ++i) {
      const double weight = double(i) / kRows;
      const Means means = mean_of(trial::mixed(*gait_, variant, weight), 20);
      std::printf("%6.2f  %3d/%d  %11.3f  %13.3f\n", weight, means.up, starts_, means.forward,
                  means.turning);
    }
  }

  /// Of every size, from small to great.
  void leaps() const {
    std::printf("\none leap among cycles\nsize      up  longest flight m  rise m\n");
    print_leaps("none", false, trial::unmixed(*gait_));
    std::map<double, std::size_t> leaps;
    for (std::size_t i = 0; i < gait_->variants.size(); ++i) {
      if (gait_->variants[i].use == v1::GaitVariant::LEAP) leaps[gait_->variants[i].size] = i;
    }
    for (const auto& [size, variant] : leaps) {
      char text[16];
      std::snprintf(text, sizeof text, "%.2f", size);
      print_leaps(text, true, trial::mixed(*gait_, variant, 1));
    }
  }

  void shoves() const {
    std::printf("\none shove to a side for 0.1 s, share that is up 8 s later\n   of weight  blind");
    const bool feels = !gait_->feedback.gains.empty();
    std::printf(feels ? "  with feedback\n" : "\n");
    for (const double shove : {0.1, 0.2, 0.3, 0.4, 0.6}) {
      std::printf("%12.1f  %4.0f %%", shove, 100 * shoved(shove, false));
      if (feels) std::printf("  %11.0f %%", 100 * shoved(shove, true));
      std::printf("\n");
    }
  }

  void hurdles() const {
    std::printf(
        "\nhurdles 0.05 m deep at random distances, 5 in a row\n  height  cleared  touched\n");
    const double third = trial::usual_hurdle(trial_.creature());
    for (const double share : {0.5, 0.75, 1.0, 1.25}) {
      trial::Hurdles hurdles;
      hurdles.height = share * third;
      std::vector<std::vector<trial::HurdleEnd>> runs(std::size_t(std::max(0, starts_)));
      trial::run_parallel(starts_, threads_, [&](int i) {
        runs[std::size_t(i)] =
            trial::run_hurdles(trial_, gait_, hurdles, trial::kOtherStarts + std::uint64_t(i));
      });
      int cleared = 0, touched = 0;
      for (const auto& run : runs) {
        cleared += int(std::count(run.begin(), run.end(), trial::HurdleEnd::kCleared));
        touched += int(std::count(run.begin(), run.end(), trial::HurdleEnd::kTouched));
      }
      const double all = std::max(1, starts_ * hurdles.count);
      std::printf("%6.3f m  %5.0f %%  %5.0f %%\n", hurdles.height, 100 * cleared / all,
                  100 * touched / all);
    }
  }

  void ways(double near, double far) const {
    std::vector<trial::FollowedWay> runs(std::size_t(std::max(0, starts_)));
    trial::run_parallel(starts_, threads_, [&](int i) {
      runs[std::size_t(i)] =
          trial::follow_way(trial_, gait_, near, far, trial::kOtherStarts + std::uint64_t(i));
    });
    int reached = 0, fell = 0;
    for (const trial::FollowedWay& run : runs) {
      reached += run.reached;
      fell += run.fell;
    }
    std::printf("\nway-points %.0f to %.0f m away, all round: %d of %d reached, %d fell\n", near,
                far, reached, starts_, fell);
  }

 private:
  struct Means {
    int up = 0;
    double forward = 0, turning = 0;  // of those that are up
  };
  void print_leaps(const char* size, bool leap, const std::shared_ptr<const Gait>& gait) const {
    constexpr double kLeapAt = 5, kWhole = 15;  // s
    std::vector<trial::GaitMeasures> runs(std::size_t(std::max(0, starts_)));
    trial::run_parallel(starts_, threads_, [&](int i) {
      // Not all in the same phase.
      trial::GaitDeeds deeds;
      if (leap) deeds.leap_at = kLeapAt + 0.37 * i;
      runs[std::size_t(i)] =
          trial_.run(gait, {kWhole, 2}, trial::kOtherStarts + std::uint64_t(i), deeds);
    });
    int up = 0;
    double length = 0, rise = 0;
    for (const trial::GaitMeasures& run : runs) {
      if (run.end != trial::GaitEnd::kWentOn) continue;
      ++up;
      length += (run.flight.length - length) / up;
      rise += (run.flight.rise - rise) / up;
    }
    std::printf("%-5s  %3d/%d  %16.3f  %6.3f\n", size, up, starts_, length, rise);
  }
  double shoved(double shove, bool feels) const {
    auto gait = trial::unmixed(*gait_);
    if (!feels) gait = trial::blind(*gait);
    // Five times as many as starts: each falls into one phase.
    const int count = 5 * std::max(1, starts_);
    std::vector<char> up(std::size_t(count), 0);
    trial::run_parallel(count, threads_, [&](int i) {
      const double phase = double(i) / count * gait->graph.period();
      trial::GaitDeeds deeds;
      deeds.shove = shove;
      deeds.shove_every = 1000;
      const trial::GaitTime time{11 + phase, 3 + phase};
      up[std::size_t(i)] =
          trial_.run(gait, time, trial::kOtherStarts + std::uint64_t(i), deeds).end ==
                  trial::GaitEnd::kWentOn
              ? 1
              : 0;
    });
    return double(std::count(up.begin(), up.end(), 1)) / count;
  }
  Means mean_of(const std::shared_ptr<const Gait>& gait, double seconds) const {
    const auto plain = trial::unmixed(*gait);  // it does not steer
    std::vector<trial::GaitMeasures> runs(std::size_t(std::max(0, starts_)));
    trial::run_parallel(starts_, threads_, [&](int i) {
      runs[std::size_t(i)] =
          trial_.run(plain, {seconds, 2}, trial::kOtherStarts + std::uint64_t(i));
    });
    Means out;
    for (const trial::GaitMeasures& run : runs) {
      if (run.end != trial::GaitEnd::kWentOn) continue;
      ++out.up;
      out.forward += (run.forward - out.forward) / out.up;
      out.turning += (run.turning - out.turning) / out.up;
    }
    return out;
  }

  const trial::GaitTrial& trial_;
  std::shared_ptr<const Gait> gait_;
  int starts_, threads_;
};

}  // namespace

int try_gait(const Library& library, const std::filesystem::path& path, int starts, int threads) {
  const auto file = load_gait_file(library, path);
  if (!file) return command::complain("search gait", file.error().text());
  const Gait& gait = *file->gait;
  const Show show(file->trial, file->gait, starts, threads);
  show.alone();
  for (std::size_t i = 0; i < gait.variants.size(); ++i) {
    if (gait.variants[i].use != v1::GaitVariant::LEAP) show.curve(i);
  }
  if (gait.variant_for(v1::GaitVariant::LEAP) >= 0) show.leaps();
  show.shoves();
  if (gait.leaps_by_itself()) show.hurdles();
  if (gait.variant_for(v1::GaitVariant::LEFT) >= 0) show.ways(2, 6);
  return 0;
}

}  // namespace promenade::app
