#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string_view>

#include "control/posegraph/gait_library.h"
#include "control/registry.h"
#include "schema/error.h"

namespace promenade::control {

/// The parameters of every family, from a directory with a file <family>.json for each. Never
/// changed once loaded, so threads share it.
class ControllerLibrary {
 public:
  ControllerLibrary();
  static schema::Result<ControllerLibrary> load(const std::filesystem::path& directory);

  /// The style that is put on for work, of all controllers that are made from now on; see
  /// Goal::plain.
  void set_plain_style(std::shared_ptr<const Style> style) { plain_ = std::move(style); }
  /// The gaits of toys: controllers of the family posegraph get the usual one of their creature.
  void set_toys(GaitLibrary toys) { toys_ = std::move(toys); }
  const GaitLibrary& toys() const { return toys_; }
  const Parameters& parameters(const Family& family) const { return parameters_.at(&family); }
  /// The setup of a controller with the parameters of its file.
  ControllerSetup setup(const Family& family, std::shared_ptr<const Creature> creature,
                        std::shared_ptr<const Style> style = nullptr) const;
  /// A controller with the parameters of its file.
  std::unique_ptr<Controller> make(const Family& family, std::shared_ptr<const Creature> creature,
                                   std::shared_ptr<const Style> style = nullptr) const {
    return family.make(setup(family, std::move(creature), std::move(style)));
  }

 private:
  std::shared_ptr<pendulum::GaitTables> gaits_;
  std::map<const Family*, Parameters> parameters_;
  std::shared_ptr<const Style> plain_;
  GaitLibrary toys_;
};

}  // namespace promenade::control
