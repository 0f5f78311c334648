#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "control/gbwc/style.h"
#include "schema/error.h"

namespace promenade {

/// Every style of a directory, checked. Never changed once loaded, so threads share it.
class StyleLibrary {
 public:
  /// Loads every *.json of a directory. A file's name is its style's name.
  static schema::Result<StyleLibrary> load(const std::filesystem::path& directory);

  /// nullptr if there is none.
  std::shared_ptr<const Style> find(const std::string& name) const;
  /// Sorted.
  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }

 private:
  std::map<std::string, std::shared_ptr<const Style>> styles_;
  std::vector<std::string> names_;
};

}  // namespace promenade
