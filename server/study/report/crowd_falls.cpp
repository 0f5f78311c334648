// People in full physics who stroll among each other: how often they fall, why, and which of them.
#include "study/trial/crowd/crowd_falls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "math/rotation.h"
#include "study/report/plan.h"

namespace promenade::study {
namespace {

using trial::CrowdFalls;
using trial::Fall;

struct Stroll {
  const char* id;
  const char* scene;
  double asked;  // falls a minute, at most
  int seeds;
  double seconds;  // of each
};
constexpr Stroll kStrolls[] = {{"falls-hundred", "hundred", 1, 6, 60},
                               {"falls-square", "square", 0.3, 10, 120},
                               {"falls-mixed-200", trial::kMixedCrowd, 1.5, 4, 60}};

using Runs = std::vector<CrowdFalls>;

/// Falls a minute by cause, and what was measured before them in the mean.
std::string causes_text(const Runs& runs, double minutes) {
  TextTable table({"cause", "falls a minute", "touch, m/s", "course off, deg", "asked, m/s",
                   "reached, m/s", "changed, m/s", "nearest, m"});
  for (std::size_t cause = 0; cause < trial::kFallCauses; ++cause) {
    int count = 0;
    double touch = 0, turned = 0, asked = 0, got = 0, changed = 0, nearest = 0;
    for (const CrowdFalls& run : runs) {
      for (const Fall& fall : run.falls) {
        if (std::size_t(fall.cause) != cause) continue;
        ++count;
        touch += fall.impulse;
        turned += std::abs(fall.turned) / kRadFromDeg;
        asked += fall.asked;
        got += fall.got;
        changed += fall.changed;
        nearest += std::min(fall.nearest, 9.0);
      }
    }
    if (count == 0) continue;
    const auto mean = [count](double sum) { return formatted("%.2f", sum / count); };
    table.add({cause_name(trial::FallCause(cause)), formatted("%.2f", count / minutes), mean(touch),
               mean(turned), mean(asked), mean(got), mean(changed), mean(nearest)});
  }
  return table.text();
}

/// Falls a minute of each body in each style; those who never fell are left out.
std::string pairs_text(const Runs& runs) {
  std::map<std::string, int> fell;
  std::map<std::string, double> minutes;
  for (const CrowdFalls& run : runs) {
    for (std::size_t i = 0; i < run.who.size(); ++i) {
      fell[run.who[i]] += run.fell[i];
      minutes[run.who[i]] += run.minutes;
    }
  }
  std::vector<std::pair<double, std::string>> worst;
  for (const auto& [who, count] : fell) {
    if (count > 0) worst.push_back({count / minutes[who], who});
  }
  std::sort(worst.rbegin(), worst.rend());
  TextTable table({"body and style", "falls a minute each", "falls"});
  for (const auto& [rate, who] : worst)
    table.add({who, formatted("%.2f", rate), formatted("%d", fell[who])});
  return table.text();
}

std::string falls_text(const Runs& runs) {
  TextTable table({"run", "s", "body", "style", "cause", "touched", "touch, m/s", "from, deg",
                   "height", "course off, deg", "asked", "reached", "changed", "nearest"});
  for (std::size_t k = 0; k < runs.size(); ++k) {
    for (const Fall& fall : runs[k].falls) {
      table.add({formatted("%zu", k), formatted("%.1f", fall.at), fall.body, fall.style,
                 cause_name(fall.cause), fall.other.empty() ? "-" : fall.other,
                 formatted("%.2f", fall.impulse), formatted("%.0f", fall.from / kRadFromDeg),
                 formatted("%.2f", fall.height), formatted("%.0f", fall.turned / kRadFromDeg),
                 formatted("%.2f", fall.asked), formatted("%.2f", fall.got),
                 formatted("%.2f", fall.changed), formatted("%.2f", fall.nearest)});
    }
  }
  return table.text();
}

}  // namespace

void plan_crowd_falls(ReportPlan& plan) {
  plan.begin_section("People in full physics who stroll");
  for (const Stroll& stroll : kStrolls) {
    const std::string id = stroll.id;
    if (!plan.wants(id)) continue;
    std::shared_ptr<const Library> library = plan.library;
    if (std::string(stroll.scene) == trial::kMixedCrowd)
      library = trial::with_mixed_crowd(plan.options.data_dir);
    const int seeds = plan.trials(stroll.seeds);
    auto runs = std::make_shared<Runs>(std::size_t(seeds));
    for (int i = 0; i < seeds; ++i) {
      plan.job(
          [=, &plan] {
            (*runs)[std::size_t(i)] =
                trial::watch_falls(library, stroll.scene, stroll.seconds, plan.seed_of(id, i));
          },
          stroll.seconds * 10);
    }
    plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
      double minutes = 0, speed = 0;
      std::size_t falls = 0;
      for (const CrowdFalls& run : *runs) {
        minutes += run.minutes;
        falls += run.falls.size();
        speed += run.mean_speed / double(runs->size());
      }
      const double rate = double(falls) / minutes;
      rows.push_back({id,
                      formatted("falls a minute in the scene %s, %d seeds of %.0f s; the people "
                                "walk at %.2f m/s in the mean, who stand included",
                                stroll.scene, seeds, stroll.seconds, speed),
                      "", stroll.asked, rate, "/min", rate <= stroll.asked});
      notes += formatted("\n%s, falls by cause:\n", id.c_str()) + causes_text(*runs, minutes) +
               "\nBy body and style, those who fell:\n" + pairs_text(*runs) + "\nEach fall:\n" +
               falls_text(*runs);
    });
  }
}

}  // namespace promenade::study
