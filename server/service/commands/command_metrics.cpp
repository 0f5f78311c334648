#include "service/commands/command_metrics.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

const char* result_name(const world::CommandError* error) {
  if (!error) return "ok";
  switch (error->code) {
    case Code::kInvalid:
      return "invalid";
    case Code::kNotFound:
      return "not_found";
    case Code::kForbidden:
      return "forbidden";
    case Code::kRateLimited:
      return "rate_limited";
    case Code::kBusy:
      return "busy";
    case Code::kUnsupported:
      return "unsupported";
    case Code::kInternal:
      return "internal";
    case Code::kConflict:
      return "conflict";
  }
  return "internal";
}

}  // namespace

void count_command(net::Metrics& metrics, const std::string& kind,
                   const world::CommandError* error) {
  metrics
      .counter("promenade_commands_total", "Commands by kind and by what became of them.",
               {{"kind", kind}, {"result", result_name(error)}})
      .add();
}

}  // namespace promenade::service
