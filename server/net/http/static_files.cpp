#include "net/http/static_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace promenade::net {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 21> kMimeTypes{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".jpeg", "image/jpeg"},
    {".webp", "image/webp"},
    {".avif", "image/avif"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
    {".glb", "model/gltf-binary"},
    {".gltf", "model/gltf+json"},
    {".hdr", "image/vnd.radiance"},
    {".txt", "text/plain; charset=utf-8"},
    {".md", "text/markdown; charset=utf-8"},
}};

// The page loads scripts, styles and its worker from here, connects to here and draws its own
// pictures; code that gets into it by mistake can load nothing else. A worker goes by the headers
// of its own file, so every file has them.
constexpr std::array<std::pair<const char*, const char*>, 6> kPageHeaders{{
    {"Content-Security-Policy",
     "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
     "form-action 'none'; frame-ancestors 'self'"},
    {"X-Frame-Options", "SAMEORIGIN"},
    {"Referrer-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
}};

struct Compression {
  std::string_view coding;  // as in Accept-Encoding
  const char* ending;       // of the file beside the one that is asked for
};
// The smallest first.
constexpr std::array<Compression, 2> kCompressions{{{"br", ".br"}, {"gzip", ".gz"}}};

// Whether a request's Accept-Encoding has the coding, and not with a weight of 0.
bool accepts(std::string_view accepted, std::string_view wanted) {
  while (!accepted.empty()) {
    std::string_view one = accepted.substr(0, accepted.find(','));
    accepted.remove_prefix(std::min(one.size() + 1, accepted.size()));
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    const std::string_view coding = one.substr(0, one.find_first_of("; "));
    if (coding != wanted) continue;
    const std::size_t weight = one.find("q=");
    return weight == one.npos || one.find_first_of("123456789", weight) != one.npos;
  }
  return false;
}

// Link previews want whole addresses, so the page has this where the server's own belongs.
constexpr std::string_view kSite = "%SITE%";
constexpr std::uintmax_t kLargestPage = 1 << 16;  // bytes that are read to fill it in

// The site as it may stand in the page: a visitor's text is written into HTML.
std::string_view safe_site(std::string_view site) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-:[]/";
  return site.find_first_not_of(kAllowed) == site.npos ? site : std::string_view();
}

// A page's text with the site filled in; nothing if there is no place for it.
std::optional<std::string> filled_in(const fs::path& page, std::uintmax_t size,
                                     std::string_view site) {
  if (page.extension() != ".html" || size > kLargestPage) return std::nullopt;
  std::ifstream file(page, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  std::size_t at = text.find(kSite);
  if (at == text.npos) return std::nullopt;
  for (; at != text.npos; at = text.find(kSite, at + site.size())) {
    text.replace(at, kSite.size(), site);
  }
  return text;
}

bool is_below(const fs::path& path, const fs::path& root) {
  const auto [root_end, ignored] =
      std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return root_end == root.end();
}

bool matches(std::string_view if_none_match, std::string_view etag) {
  if (if_none_match == "*") return true;
  std::size_t begin = 0;
  while (begin < if_none_match.size()) {
    std::size_t end = if_none_match.find(',', begin);
    if (end == if_none_match.npos) end = if_none_match.size();
    std::string_view one = if_none_match.substr(begin, end - begin);
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    while (!one.empty() && one.back() == ' ') one.remove_suffix(1);
    if (one.substr(0, 2) == "W/") one.remove_prefix(2);
    if (one == etag) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::string_view mime_type(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot != file_name.npos) {
    for (const auto& [ending, type] : kMimeTypes) {
      if (file_name.substr(dot) == ending) return type;
    }
  }
  return "application/octet-stream";
}

StaticFiles::StaticFiles(const fs::path& root) {
  if (root.empty()) return;
  std::error_code ignored;
  root_ = fs::weakly_canonical(root, ignored);
  if (!root_.has_filename()) root_ = root_.parent_path();  // "dist/" compares as "dist"
}

bool StaticFiles::has_index() const {
  std::error_code ignored;
  return !root_.empty() && fs::is_regular_file(root_ / "index.html", ignored);
}

HttpResponse StaticFiles::serve(const HttpRequest& request) const {
  HttpResponse not_found =
      error_response(404, {"NOT_FOUND", "path", request.path, "a file of the page"});
  if (root_.empty()) return not_found;

  fs::path wanted = root_ / fs::path(request.path).relative_path();
  if (request.path.back() == '/') wanted /= "index.html";
  std::error_code error;
  const fs::path path = fs::canonical(wanted, error);  // must exist; resolves .. and links
  if (error || !is_below(path, root_)) return not_found;
  // Files whose names begin with a dot are never served, whatever the root is.
  for (const fs::path& part : path.lexically_relative(root_)) {
    if (part.native().front() == '.') return not_found;
  }
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return not_found;

  HttpResponse response;
  response.content_type = mime_type(path.filename().native());
  const bool immutable = request.path.rfind("/assets/", 0) == 0;
  response.headers = {
      {"Cache-Control", immutable ? "public, max-age=31536000, immutable" : "no-cache"}};
  for (const auto& [name, value] : kPageHeaders) response.headers.emplace_back(name, value);

  fs::path sent = path;
  const char* variant = "";
  std::optional<std::string> page =
      filled_in(path, std::uintmax_t(info.st_size), safe_site(request.site));
  if (page) variant = "-page";
  bool varies = false;
  for (const Compression& one : kCompressions) {
    struct stat compressed {};
    const fs::path beside = path.native() + one.ending;
    // One that is older was made of another content, unless names tell contents apart.
    if (page || ::lstat(beside.c_str(), &compressed) != 0 || !S_ISREG(compressed.st_mode) ||
        (!immutable && compressed.st_mtim.tv_sec < info.st_mtim.tv_sec)) {
      continue;
    }
    varies = true;
    if (sent != path || !accepts(request.header("accept-encoding"), one.coding)) continue;
    response.headers.emplace_back("Content-Encoding", one.coding);
    sent = beside;
    variant = one.ending;
    info = compressed;
  }
  if (varies) response.headers.emplace_back("Vary", "Accept-Encoding");
  char etag[64];
  std::snprintf(etag, sizeof etag, "\"%llx-%llx-%llx%s\"",
                static_cast<unsigned long long>(info.st_mtim.tv_sec),
                static_cast<unsigned long long>(info.st_mtim.tv_nsec),
                static_cast<unsigned long long>(info.st_size), variant);
  response.headers.emplace_back("ETag", etag);
  if (matches(request.header("if-none-match"), etag)) {
    response.status = 304;
  } else if (page) {
    response.body = *std::move(page);
  } else {
    response.body = HttpResponse::File{sent, static_cast<std::uint64_t>(info.st_size)};
  }
  return response;
}

}  // namespace promenade::net
