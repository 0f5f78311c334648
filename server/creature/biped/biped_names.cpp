#include "creature/biped/biped_names.h"

#include "creature/biped/biped.h"

namespace promenade {

std::vector<std::string> biped_names(const CreatureLibrary& library) {
  std::vector<std::string> out;
  for (const std::string& name : library.names()) {
    if (biped_of(*library.find(name)->body)) out.push_back(name);
  }
  return out;
}

}  // namespace promenade
