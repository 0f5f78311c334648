// Pushes on the light biped.
#include "study/trial/walk/pushes.h"

#include "math/random.h"
#include "math/rotation.h"
#include "study/report/plan.h"

namespace promenade::study {

void plan_pendulum_pushes(ReportPlan& plan) {
  trial::Walker pendulum = trial::Walker::of(*plan.library, "human", "normal");
  pendulum.drive_by(*plan.library, "pendulum");
  constexpr double kFastest = 1.4;  // m/s; a fifth of them stand
  const struct {
    const char* id;
    double least, most;        // N
    double shortest, longest;  // s
    double asked;              // %
    const char* source;
  } kinds[] = {{"push-100", 50, 100, 0.1, 0.5, 99, "shown"},
               {"push-300", 300, 300, 0.1, 0.1, 95, ""},
               {"push-600", 600, 600, 0.1, 0.1, 95, ""},
               {"push-long-200", 200, 200, 0.5, 0.5, 95, ""}};
  for (const auto& kind : kinds) {
    const int count = plan.trials(500);
    ReportRow row;
    row.id = kind.id;
    row.claim = formatted(
        "%d random pushes of %.0f to %.0f N for %.1f to %.1f s from any side, standing or walking "
        "at up to %.1f m/s, up 8 s later",
        count, kind.least, kind.most, kind.shortest, kind.longest, kFastest);
    row.source = kind.source;
    plan_rate(
        plan, count, 14,
        [=, &plan](int i) {
          const std::uint64_t seed = plan.seed_of(kind.id, i);
          Random random = Random::stream(seed, 0x9054ULL);
          trial::PushCase push;
          push.standing = random.uniform() < 0.2;
          push.speed = random.uniform(0.2, kFastest);
          push.force = random.uniform(kind.least, kind.most);
          push.duration = random.uniform(kind.shortest, kind.longest);
          push.direction = random.uniform(-kPi, kPi);
          const trial::PushOutcome end = trial::push_once(pendulum, push, seed);
          return Outcome{end.up, end.recovered};
        },
        row, kind.asked);
  }
}

}  // namespace promenade::study
