// Every style on every body under every order, and random bodies.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "creature/biped/biped_names.h"
#include "creature/creature_builder.h"
#include "creature/creature_edit.h"
#include "study/report/plan.h"
#include "study/trial/walk/obedience.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {

using trial::Order;
using trial::Walker;

void plan_obedience(ReportPlan& plan) {
  if (!plan.wants("styles-bodies-orders")) return;
  const auto& styles = plan.library->styles().names();
  const auto bodies = biped_names(plan.library->bodies());
  struct Case {
    std::string style, body;
    Order order;
    trial::Obedience outcome;
  };
  auto cases = std::make_shared<std::vector<Case>>();
  int number = 0;
  for (const std::string& style : styles) {
    for (const std::string& body : bodies) {
      for (int order = 0; order < trial::kOrders; ++order) {
        // --quick takes one in so many; the stride is chosen so that all styles, bodies and orders
        // occur.
        if (number++ % (plan.options.quick ? kQuickTrials - 1 : 1) != 0) continue;
        cases->push_back({style, body, Order(order), {}});
      }
    }
  }
  for (std::size_t i = 0; i < cases->size(); ++i) {
    plan.job([=, &plan, seed = plan.seed_of("orders", int(i))] {
      Case& one = (*cases)[i];
      one.outcome = trial::obey(Walker::of(*plan.library, one.body, one.style), one.order, seed);
    });
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    int good = 0, fell = 0;
    for (const Case& one : *cases) {
      good += one.outcome.up && one.outcome.obeyed;
      fell += !one.outcome.up;
    }
    rows.push_back(rate_row(
        "styles-bodies-orders",
        formatted("%zu styles, %zu bodies, 5 orders (walk, faster, back, turn, stop), %zu trials: "
                  "up and did as told 10 s later; %d fell",
                  styles.size(), bodies.size(), cases->size(), fell),
        "4 styles, 3 bodies, shown", 95, 100.0 * good / double(cases->size())));
    std::vector<std::string> header{"fell + disobeyed"};
    for (const std::string& body : bodies) header.push_back(body);
    TextTable table(header);
    for (const std::string& style : styles) {
      std::vector<std::string> cells{style};
      for (const std::string& body : bodies) {
        std::string cell;
        for (const Case& one : *cases) {
          if (one.style != style || one.body != body) continue;
          if (one.outcome.up && one.outcome.obeyed) continue;
          if (!cell.empty()) cell += ' ';
          cell += one.outcome.up ? trial::order_name(one.order)
                                 : formatted("%s!", trial::order_name(one.order));
        }
        cells.push_back(cell);
      }
      table.add(std::move(cells));
    }
    notes += "Orders not followed, with ! by a fall:\n" + table.text() + "\n";
  });
}

void plan_random_bodies(ReportPlan& plan) {
  const int count = plan.trials(200);
  const double seconds = std::max(15.0, plan.span(60));
  ReportRow row;
  row.id = "random-bodies";
  row.claim = formatted(
      "%d bodies, link lengths 0.6 to 1.5, legs unequal to 15 %%, walk %.0f s at a fitting speed",
      count, seconds);
  row.source = "edited proportions shown";
  plan_rate(
      plan, count, seconds,
      [=, &plan](int i) {
        const std::uint64_t seed = plan.seed_of("bodies", i);
        Walker walker = Walker::of(*plan.library, "human", "normal");
        const auto edit = random_edit(seed);
        auto body =
            build_creature(apply_edit(plan.library->bodies().find("human")->character, edit));
        if (!body) throw std::runtime_error(body.error().text());
        walker.body = std::make_shared<const Creature>(std::move(body).value());
        const double speed = trial::fitting_speed(walker);
        const trial::SteadyWalk walk = trial::walk_steadily(walker, {speed, 0}, seconds, 1, seed);
        return Outcome{walk.up, walk.recovered};
      },
      row, 95);
}

}  // namespace promenade::study
