// Speed and turning over the share of a variant: figures 15 and 16 of the source.
#include <algorithm>
#include <cmath>

#include "study/report/panne1996/shipped_gaits.h"
#include "study/report/plan.h"
#include "study/trial/gait/mixed_gait.h"

namespace promenade::study {
namespace {

constexpr int kSteps = 10;       // of the weight, from 0 to 1
constexpr double kSeconds = 20;  // s, of a trial

/// One mix of a gait, and what its trials came to.
struct Point {
  double share = 0;  // of the variant; below 0 it is that to the right
  std::shared_ptr<const control::posegraph::Gait> gait;
  std::vector<trial::GaitMeasures> runs;  // [starts]

  int up() const {
    int count = 0;
    for (const trial::GaitMeasures& run : runs) count += run.end == trial::GaitEnd::kWentOn;
    return count;
  }
  /// Mean over the runs that are up. NaN: none is.
  double mean(double trial::GaitMeasures::*value) const {
    double sum = 0;
    for (const trial::GaitMeasures& run : runs) {
      if (run.end == trial::GaitEnd::kWentOn) sum += run.*value;
    }
    return up() > 0 ? sum / up() : std::nan("");
  }
};
using Points = std::vector<Point>;

/// What a curve shows of a gait.
struct VariantCurve {
  ReportRow row;  // claim and id
  double trial::GaitMeasures::*value = nullptr;
  const char* unit = "";
};

void add_points(const control::posegraph::Gait& gait, v1::GaitVariant::Use use, double sign,
                Points& points) {
  const int variant = gait.variant_for(use);
  if (variant < 0) return;
  for (int i = 1; i <= kSteps; ++i) {
    const double weight = double(i) / kSteps;
    points.push_back({sign * weight, trial::mixed(gait, std::size_t(variant), weight), {}});
  }
}

// In the order of the shares.
void add_curve(std::vector<ReportRow>& rows, const Points& points, const VariantCurve& curve) {
  ReportRow row = curve.row;
  int rises = 0, up = 0, all = 0;
  double last = std::nan("");
  std::string text;
  for (const Point& point : points) {
    const double value = point.mean(curve.value);
    rises += value > last;  // not where either is not known
    last = value;
    up += point.up();
    all += int(point.runs.size());
    text += formatted(" %.1f: %.3f", point.share, value);
  }
  row.claim += formatted("; share of the variant and %s:%s; %d of %d trials up", curve.unit,
                         text.c_str(), up, all);
  row.asked = double(points.size() - 1);
  row.got = double(rises);
  row.unit = "steps up";
  row.holds = rises + 1 == int(points.size());
  rows.push_back(std::move(row));
}

void plan_curve(ReportPlan& plan, const ShippedGait& one, Points points,
                const VariantCurve& curve) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.share < b.share; });
  auto all = std::make_shared<Points>(std::move(points));
  const int starts = plan.trials(8);
  for (Point& point : *all) {
    point.runs.resize(std::size_t(starts));
    for (int i = 0; i < starts; ++i) {
      plan.job(
          [&run = point.runs[std::size_t(i)], all, gait = point.gait, trial = one.trial,
           seed = plan.seed_of(curve.row.id, i)] {
            run = trial->run(gait, {kSeconds, 2}, seed);
          },
          kSeconds);
    }
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) { add_curve(rows, *all, curve); });
}

// Of the first gait of a creature that has a variant of one of these uses.
void plan_first_curve(ReportPlan& plan, const char* creature, VariantCurve curve,
                      std::initializer_list<std::pair<v1::GaitVariant::Use, double>> uses) {
  if (!plan.wants(curve.row.id)) return;
  for (const ShippedGait& one : shipped_gaits_of(*plan.library, creature)) {
    Points points{{0, trial::unmixed(*one.gait), {}}};
    for (const auto& [use, sign] : uses) add_points(*one.gait, use, sign, points);
    if (points.size() == 1) continue;
    curve.row.claim = one.name + ": " + curve.row.claim;
    plan_curve(plan, one, std::move(points), curve);
    return;
  }
  curve.row.asked = double(kSteps);
  curve.row.unit = "steps up";
  plan.finish([row = curve.row](std::vector<ReportRow>& rows, std::string&) {
    rows.push_back(row_of_none(row, "no gait of it has such a variant"));
  });
}

}  // namespace

void plan_toy_curves(ReportPlan& plan) {
  VariantCurve speed;
  speed.row.id = "speed-of-cat";
  speed.row.claim = "the more of its fast variant the faster";
  speed.row.source = "figure 15, unimodal and well behaved";
  speed.value = &trial::GaitMeasures::forward;
  speed.unit = "m/s";
  plan_first_curve(plan, "cat", speed, {{v1::GaitVariant::FAST, 1}});
  VariantCurve turning;
  turning.row.id = "turning-of-monster";
  turning.row.claim =
      "the more of the variant that turns left (of that to the right below 0) the "
      "more it turns left";
  turning.row.source = "figure 16, not as well behaved";
  turning.value = &trial::GaitMeasures::turning;
  turning.unit = "rad/s";
  plan_first_curve(plan, "monster", turning,
                   {{v1::GaitVariant::LEFT, 1}, {v1::GaitVariant::RIGHT, -1}});
}

}  // namespace promenade::study
