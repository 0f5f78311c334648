#include "study/trial/rig/data_copy.h"

#include <fstream>
#include <stdexcept>

#include "schema/message.h"

namespace promenade::trial {
namespace {

namespace fs = std::filesystem;

void write_message(const fs::path& path, const google::protobuf::Message& message) {
  std::ofstream out(path, std::ios::trunc);
  out << schema::message_to_json(message);
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

DataCopy::DataCopy(const fs::path& data_dir) {
  fs::copy(data_dir, scratch_.path(), fs::copy_options::recursive);
}

void DataCopy::add(const v1::Creature& creature) const {
  write_message(scratch_.path() / "creatures" / (creature.name() + ".json"), creature);
}

void DataCopy::add(const v1::Scene& scene) const {
  write_message(scratch_.path() / "scenes" / (scene.name() + ".json"), scene);
}

std::shared_ptr<const Library> DataCopy::load() const {
  auto library = Library::load(scratch_.path());
  if (!library) throw std::runtime_error(library.error().text());
  return std::move(library).value();
}

}  // namespace promenade::trial
