#pragma once

#include <memory>
#include <string>
#include <vector>

#include "control/posegraph/gait.h"
#include "promenade/v1/gait.pb.h"
#include "study/report/table.h"
#include "study/trial/gait/gait_trial.h"
#include "world/library/library.h"

namespace promenade::study {

/// A gait of the data directory, and its creature ready for trials.
struct ShippedGait {
  std::string name;
  std::shared_ptr<const control::posegraph::Gait> gait;
  std::shared_ptr<const trial::GaitTrial> trial;
  v1::Gait message;
};

/// All gaits of the library, by name.
std::vector<ShippedGait> shipped_gaits(const Library& library);
/// Those of a creature.
std::vector<ShippedGait> shipped_gaits_of(const Library& library, const std::string& creature);

/// A row that has nothing to measure, as no gait that ships has what it is about.
ReportRow row_of_none(ReportRow row, const std::string& why);

}  // namespace promenade::study
