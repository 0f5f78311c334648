#include "net/http/static_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace promenade::net {
namespace {
namespace fs = std::filesystem;

class StaticFilesTest : public ::testing::Test {
 protected:
  StaticFilesTest() : dir_(fs::path(::testing::TempDir()) / ("static" + std::to_string(getpid()))) {
    write("www/index.html", "<html>");
    write("www/assets/app-1a2b.js", "1");
    write("www/.hidden", "secret");
    write("www/sub/.git/config", "secret");
    write("www-other/file.txt", "secret");
    write("secret.txt", "secret");
    fs::create_symlink(dir_ / "secret.txt", dir_ / "www/link.txt");
    fs::create_symlink(dir_ / "www/index.html", dir_ / "www/home.html");
  }
  ~StaticFilesTest() override { fs::remove_all(dir_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((dir_ / name).parent_path());
    std::ofstream(dir_ / name) << text;
  }
  static HttpResponse get(const StaticFiles& files, const std::string& path,
                          const std::string& if_none_match = "") {
    HttpRequest request;
    request.method = "GET";
    request.path = path;
    if (!if_none_match.empty()) request.headers["if-none-match"] = if_none_match;
    return files.serve(request);
  }
  static std::string header(const HttpResponse& response, const std::string& name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return "";
  }

  fs::path dir_;
};

TEST_F(StaticFilesTest, ServeTheIndexAndTheRest) {
  for (const fs::path& root : {dir_ / "www", dir_ / "www/", dir_ / "www/../www"}) {
    const StaticFiles files(root);
    EXPECT_TRUE(files.has_index());
    const HttpResponse index = get(files, "/");
    EXPECT_EQ(index.status, 200);
    EXPECT_EQ(index.content_type, "text/html; charset=utf-8");
    EXPECT_EQ(std::get<HttpResponse::File>(index.body).size, 6u);
    EXPECT_EQ(header(index, "Cache-Control"), "no-cache");
    const HttpResponse script = get(files, "/assets/app-1a2b.js");
    EXPECT_EQ(script.content_type, "text/javascript; charset=utf-8");
    EXPECT_NE(header(script, "Cache-Control").find("immutable"), std::string::npos);
    EXPECT_EQ(get(files, "/home.html").status, 200) << "a link that stays inside";
  }
}

TEST_F(StaticFilesTest, NeverLeaveTheirRoot) {
  const StaticFiles files(dir_ / "www");
  for (const char* path :
       {"/../secret.txt", "/../www-other/file.txt", "/assets/../../secret.txt", "/link.txt",
        "//etc/passwd", "/etc/passwd", "/.hidden", "/sub/.git/config", "/assets", "/assets/",
        "/missing", "/index.html/", "/index.html/x", "/....//secret.txt", "/..\\secret.txt"}) {
    EXPECT_EQ(get(files, path).status, 404) << path;
  }
  EXPECT_EQ(get(files, "/" + (dir_ / "secret.txt").string()).status, 404);
}

TEST_F(StaticFilesTest, TellWhenNothingHasChanged) {
  const StaticFiles files(dir_ / "www");
  const std::string etag = header(get(files, "/"), "ETag");
  ASSERT_FALSE(etag.empty());
  EXPECT_EQ(get(files, "/", etag).status, 304);
  EXPECT_EQ(get(files, "/", "\"other\", W/" + etag).status, 304);
  EXPECT_EQ(get(files, "/", "\"other\"").status, 200);
  write("www/index.html", "<html>more");
  EXPECT_EQ(get(files, "/", etag).status, 200) << "it has changed";
}

TEST_F(StaticFilesTest, SendWhatIsCompressedToWhoTakesIt) {
  write("www/assets/app-1a2b.js.gz", "compressed");
  const StaticFiles files(dir_ / "www");
  const auto ask = [&files](const std::string& accepted) {
    HttpRequest request;
    request.method = "GET";
    request.path = "/assets/app-1a2b.js";
    request.headers["accept-encoding"] = accepted;
    return files.serve(request);
  };
  for (const char* accepted : {"gzip", "deflate, gzip, br", "br;q=1.0, gzip;q=0.8", "gzip ;q=1"}) {
    const HttpResponse response = ask(accepted);
    EXPECT_EQ(header(response, "Content-Encoding"), "gzip") << accepted;
    EXPECT_EQ(std::get<HttpResponse::File>(response.body).size, 10u);
    EXPECT_EQ(response.content_type, "text/javascript; charset=utf-8");
    EXPECT_EQ(header(response, "Vary"), "Accept-Encoding");
  }
  for (const char* accepted : {"", "br", "gzip;q=0", "gzip;q=0.0, br", "xgzip"}) {
    const HttpResponse response = ask(accepted);
    EXPECT_EQ(header(response, "Content-Encoding"), "") << accepted;
    EXPECT_EQ(std::get<HttpResponse::File>(response.body).size, 1u);
    EXPECT_EQ(header(response, "Vary"), "Accept-Encoding") << "for caches between";
  }
  EXPECT_NE(header(ask("gzip"), "ETag"), header(ask(""), "ETag"));
  fs::last_write_time(dir_ / "www/assets/app-1a2b.js.gz",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_EQ(header(ask("gzip"), "Content-Encoding"), "gzip")
      << "copied in another order: the name tells what is in it";
  write("www/assets/app-1a2b.js.br", "smaller");
  EXPECT_EQ(header(ask("gzip, deflate, br"), "Content-Encoding"), "br");
  EXPECT_EQ(std::get<HttpResponse::File>(ask("gzip, br").body).size, 7u);
  EXPECT_EQ(header(ask("gzip, br;q=0"), "Content-Encoding"), "gzip");
  EXPECT_EQ(header(ask("gzip"), "Content-Encoding"), "gzip");
  EXPECT_NE(header(ask("gzip"), "ETag"), header(ask("br"), "ETag"));
}

TEST_F(StaticFilesTest, SendNothingCompressedThatIsOlderThanItsFile) {
  write("www/index.html.gz", "compressed");
  fs::last_write_time(dir_ / "www/index.html.gz",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  HttpRequest request;
  request.path = "/";
  request.headers["accept-encoding"] = "gzip";
  EXPECT_EQ(header(StaticFiles(dir_ / "www").serve(request), "Content-Encoding"), "");
}

TEST_F(StaticFilesTest, TellThePageItsOwnAddress) {
  write("www/index.html", "<meta content=\"%SITE%/preview.jpg\"> %SITE%");
  const StaticFiles files(dir_ / "www");
  const auto ask = [&files](const std::string& site) {
    HttpRequest request;
    request.path = "/";
    request.site = site;
    return std::get<std::string>(files.serve(request).body);
  };
  EXPECT_EQ(ask("https://walk.example:8443"),
            "<meta content=\"https://walk.example:8443/preview.jpg\"> https://walk.example:8443");
  EXPECT_EQ(ask("http://[::1]:8080"),
            "<meta content=\"http://[::1]:8080/preview.jpg\"> http://[::1]:8080");
  EXPECT_EQ(ask("http://\"><script>"), "<meta content=\"/preview.jpg\"> ");
}

TEST_F(StaticFilesTest, ForbidWhatThePageDoesNotNeed) {
  const StaticFiles files(dir_ / "www");
  for (const char* path : {"/", "/assets/app-1a2b.js"}) {
    const std::string policy = header(get(files, path), "Content-Security-Policy");
    EXPECT_NE(policy.find("default-src 'self'"), std::string::npos);
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    EXPECT_NE(policy.find("frame-ancestors 'self'"), std::string::npos);
  }
}

TEST_F(StaticFilesTest, ServeNothingWithoutARoot) {
  const StaticFiles files{fs::path()};
  EXPECT_FALSE(files.has_index());
  EXPECT_EQ(get(files, "/").status, 404);
  EXPECT_EQ(get(files, "/etc/passwd").status, 404);
}

TEST(MimeType, GoesByTheEnding) {
  EXPECT_EQ(mime_type("a.b.css"), "text/css; charset=utf-8");
  EXPECT_EQ(mime_type("model.glb"), "model/gltf-binary");
  EXPECT_EQ(mime_type("noending"), "application/octet-stream");
  EXPECT_EQ(mime_type("x.exe"), "application/octet-stream");
}

}  // namespace
}  // namespace promenade::net
