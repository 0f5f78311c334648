#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "net/http/http_types.h"

namespace promenade::net {

/// Serves the files below one directory, and nothing else: a path is resolved, links included,
/// before it is compared with the root.
class StaticFiles {
 public:
  /// @param root  need not exist yet; empty: serves nothing
  explicit StaticFiles(const std::filesystem::path& root);

  /// Answers GET and HEAD. "/" is index.html. Files in assets/ carry a hash of their content in
  /// their name, so they may be kept for ever; all others are asked for again by ETag. Where
  /// NAME.gz stands beside NAME, clients that take gzip get that.
  HttpResponse serve(const HttpRequest& request) const;
  bool has_index() const;

 private:
  std::filesystem::path root_;
};

/// Content type by the name's ending; "application/octet-stream" for unknown ones.
std::string_view mime_type(std::string_view file_name);

}  // namespace promenade::net
