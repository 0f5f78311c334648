#include "control/gbwc/style_library.h"

#include <utility>

#include "schema/check.h"
#include "schema/message.h"

namespace promenade {

schema::Result<StyleLibrary> StyleLibrary::load(const std::filesystem::path& directory) {
  auto paths = schema::json_files(directory);
  if (!paths) return paths.error();
  StyleLibrary library;
  for (const auto& path : *paths) {
    auto file = schema::load_message<v1::Style>(path);
    if (!file) return file.error();
    const std::string stem = path.stem().string();
    if (file->message.name() != stem) {
      return schema::FileError{path.string(),
                               file->source.line("name"),
                               "name",
                               schema::in_quotes(file->message.name()),
                               schema::in_quotes(stem) + " as the file's name says",
                               ""};
    }
    auto style = build_style(file->message, file->source);
    if (!style) return style.error();
    library.styles_[stem] = std::make_shared<const Style>(*std::move(style));
  }
  for (const auto& [name, style] : library.styles_) library.names_.push_back(name);
  if (library.names_.empty()) {
    return schema::FileError{directory.string(), 0, "", "", "", "has no styles (*.json) in it"};
  }
  return library;
}

std::shared_ptr<const Style> StyleLibrary::find(const std::string& name) const {
  const auto found = styles_.find(name);
  return found == styles_.end() ? nullptr : found->second;
}

}  // namespace promenade
