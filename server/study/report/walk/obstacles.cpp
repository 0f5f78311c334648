// A person steered into a wall, a bench, another person.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "study/report/plan.h"
#include "study/trial/crowd/meeting.h"

namespace promenade::study {
namespace {

constexpr int kMeetings = 160;
constexpr double kUpAfterMeeting = 95;  // %

const char* described(trial::Met met) {
  switch (met) {
    case trial::Met::kWall:
      return "a wall";
    case trial::Met::kBench:
      return "a bench 0.45 m high";
    case trial::Met::kStanding:
      return "another person, who stands";
    case trial::Met::kWalking:
      break;
  }
  return "another person, who comes the other way";
}

}  // namespace

void plan_obstacles(ReportPlan& plan) {
  const int count = plan.trials(kMeetings);
  std::shared_ptr<const Library> library;  // made where a row is wanted
  for (const trial::Met met : trial::kAllMet) {
    const std::string id = std::string("into-") + trial::met_name(met);
    if (!plan.wants(id)) continue;
    if (!library) library = trial::with_meetings(plan.options.data_dir);
    auto runs = std::make_shared<std::vector<trial::MeetingRun>>(std::size_t(count));
    for (int i = 0; i < count; ++i) {
      plan.job(
          [=, seed = plan.seed_of(id, i)] {
            (*runs)[std::size_t(i)] = trial::run_meeting(library, met, seed);
          },
          trial::kMeetingSeconds);
    }
    plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
      int up = 0, others = 0;
      double near = std::numeric_limits<double>::infinity(), far = 0;
      for (const trial::MeetingRun& run : *runs) {
        up += run.up;
        others += !run.other_up;
        near = std::min(near, run.closest);
        far = std::max(far, run.closest);
      }
      const bool person = met == trial::Met::kStanding || met == trial::Met::kWalking;
      rows.push_back(rate_row(
          id,
          formatted("%d times steered at 1 m/s for %.0f s into %s: %s; pelvis as near as %.2f to "
                    "%.2f m",
                    count, trial::kMeetingSeconds, described(met),
                    person ? formatted("nobody falls, the other fell %d times", others).c_str()
                           : "no fall",
                    near, far),
          "", kUpAfterMeeting, 100.0 * up / count));
    });
  }
}

}  // namespace promenade::study
