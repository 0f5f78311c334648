#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string_view>

#include "control/registry.h"
#include "schema/error.h"

namespace promenade::control {

/// The parameters of every family, from a directory with a file <family>.json for each. Never
/// changed once loaded, so threads share it.
class ControllerLibrary {
 public:
  static schema::Result<ControllerLibrary> load(const std::filesystem::path& directory);

  const Parameters& parameters(const Family& family) const { return parameters_.at(&family); }
  /// A controller with the parameters of its file.
  std::unique_ptr<Controller> make(const Family& family, std::shared_ptr<const Creature> creature,
                                   std::shared_ptr<const Style> style = nullptr) const {
    return family.make({std::move(creature), parameters(family), std::move(style)});
  }

 private:
  std::map<const Family*, Parameters> parameters_;
};

}  // namespace promenade::control
