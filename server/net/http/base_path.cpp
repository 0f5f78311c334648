#include "net/http/base_path.h"

namespace promenade::net {

std::optional<std::string> parse_base_path(std::string_view text) {
  while (!text.empty() && text.back() == '/') text.remove_suffix(1);
  if (text.empty()) return std::string();
  if (text.front() != '/' || text.size() > kMaxBasePath) return std::nullopt;
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-/";
  if (text.find_first_not_of(kAllowed) != text.npos) return std::nullopt;
  for (std::string_view rest = text; !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('/'));
    if (part.empty() || part == "." || part == "..") return std::nullopt;
    rest.remove_prefix(part.size());
  }
  return std::string(text);
}

std::string_view below_base_path(std::string_view path, std::string_view base) {
  if (base.empty() || path.substr(0, base.size()) != base) return path;
  const std::string_view rest = path.substr(base.size());
  return rest.empty() || rest.front() == '/' ? rest : path;
}

}  // namespace promenade::net
