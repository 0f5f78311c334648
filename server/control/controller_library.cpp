#include "control/controller_library.h"

#include <string>

#include "control/pendulum/gait_tables.h"
#include "schema/message.h"
#include "schema/parameters.h"

namespace promenade::control {

ControllerLibrary::ControllerLibrary() : gaits_(std::make_shared<pendulum::GaitTables>()) {}

ControllerSetup ControllerLibrary::setup(const Family& family,
                                         std::shared_ptr<const Creature> creature,
                                         std::shared_ptr<const Style> style) const {
  ControllerSetup setup;
  setup.creature = std::move(creature);
  setup.parameters = parameters(family);
  setup.style = std::move(style);
  setup.plain = plain_;
  static const Family& posegraph = *find_family("posegraph");
  if (&family == &posegraph && setup.creature) setup.gait = toys_.usual_for(*setup.creature);
  if (family.light) {
    setup.walk = parameters(*find_family("gbwc"));
    setup.gaits = gaits_;
  }
  return setup;
}

schema::Result<ControllerLibrary> ControllerLibrary::load(const std::filesystem::path& directory) {
  ControllerLibrary library;
  for (const Family& family : families()) {
    const auto path = directory / (std::string(family.name) + ".json");
    const auto text = schema::read_file(path);
    if (!text) return text.error();
    std::shared_ptr<google::protobuf::Message> message(family.parameters().New());
    schema::Source source;
    source.file = path.string();
    if (auto error = schema::message_from_json(*text, message.get(), &source)) {
      return *std::move(error);
    }
    if (auto error = schema::check_parameters(*message, source)) return *std::move(error);
    library.parameters_[&family] = std::move(message);
  }
  return library;
}

}  // namespace promenade::control
