#include "study/report/panne1996/shipped_gaits.h"

#include <utility>

#include "control/registry.h"

namespace promenade::study {

std::vector<ShippedGait> shipped_gaits(const Library& library) {
  const control::Family& family = *control::find_family("posegraph");
  std::vector<ShippedGait> out;
  for (const std::string& name : library.gaits().names()) {
    const GaitLibrary::Entry& entry = *library.gaits().find(name);
    const CreatureLibrary::Entry* creature = library.bodies().find(entry.message.creature());
    if (!creature) continue;
    out.push_back({name, entry.gait,
                   std::make_shared<const trial::GaitTrial>(
                       creature->body, library.controllers().parameters(family)),
                   entry.message});
  }
  return out;
}

std::vector<ShippedGait> shipped_gaits_of(const Library& library, const std::string& creature) {
  std::vector<ShippedGait> out;
  for (ShippedGait& one : shipped_gaits(library)) {
    if (one.message.creature() == creature) out.push_back(std::move(one));
  }
  return out;
}

ReportRow row_of_none(ReportRow row, const std::string& why) {
  row.claim += "; " + why;
  row.got = "none";
  row.holds = false;
  return row;
}

}  // namespace promenade::study
