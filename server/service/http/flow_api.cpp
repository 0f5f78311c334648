#include "service/http/flow_api.h"

#include "promenade/v1/api.pb.h"
#include "service/http/http_answers.h"

namespace promenade::service {

net::HttpResponse flow_report(const RoomHost& room, bool with_plan) {
  const auto publication = room.current();
  const world::Snapshot& snapshot = publication->snapshot();
  const world::FlowFigures& figures = snapshot.flow_figures;
  v1::FlowReport report;
  report.set_id(room.id());
  report.set_tick(snapshot.tick);
  report.set_time_s(static_cast<double>(snapshot.tick) * room.tick_seconds());
  // The flow is of this process, or of another one with the same program: it can be read.
  if (with_plan && !snapshot.roster->flow.empty()) {
    report.mutable_flow()->ParseFromString(snapshot.roster->flow);
  }
  report.set_since_tick(snapshot.roster->flow_tick);
  report.mutable_entered()->Assign(figures.entered.begin(), figures.entered.end());
  report.mutable_left()->Assign(figures.left.begin(), figures.left.end());
  report.mutable_in_line()->Assign(figures.in_line.begin(), figures.in_line.end());
  report.set_people(figures.people);
  report.set_waiting(figures.waiting);
  report.set_turned_away(figures.turned_away);
  report.set_mean_speed_mps(figures.mean_speed);
  report.set_lost(figures.lost);
  return json_response(200, report);
}

}  // namespace promenade::service
