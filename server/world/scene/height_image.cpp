#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "world/scene/ground.h"

namespace promenade::world {
namespace {

/// Reads the numbers in the header of a PGM and skips comments.
struct PgmReader {
  std::string_view bytes;
  std::size_t at = 0;

  void skip() {
    while (at < bytes.size()) {
      if (bytes[at] == '#') {
        while (at < bytes.size() && bytes[at] != '\n') ++at;
      } else if (std::isspace(static_cast<unsigned char>(bytes[at]))) {
        ++at;
      } else {
        return;
      }
    }
  }
  int number(const char* what, int low, int high) {
    skip();
    if (at == bytes.size()) throw std::runtime_error(std::string("ends before its ") + what);
    long value = -1;
    const std::size_t from = at;
    while (at < bytes.size() && std::isdigit(static_cast<unsigned char>(bytes[at]))) {
      value = (value < 0 ? 0 : value) * 10 + (bytes[at++] - '0');
      if (value > 1000000) break;
    }
    if (value < low || value > high) {
      throw std::runtime_error("its " + std::string(what) + " is " +
                               (at > from ? std::to_string(value) : "no number") +
                               "; allowed: " + std::to_string(low) + " to " + std::to_string(high));
    }
    return static_cast<int>(value);
  }
};

}  // namespace

HeightImage read_pgm(std::string_view bytes) {
  const std::string_view kind = bytes.substr(0, 2);
  if (kind != "P2" && kind != "P5") throw std::runtime_error("is not a PGM image of kind P2 or P5");
  PgmReader reader{bytes, 2};
  HeightImage image;
  image.columns = reader.number("width", 2, kMaxGrid);
  image.rows = reader.number("height", 2, kMaxGrid);
  const int white = reader.number("greatest value", 1, 65535);
  const auto count = static_cast<std::size_t>(image.columns) * std::size_t(image.rows);
  const std::size_t wide = white > 255 ? 2 : 1;
  ++reader.at;  // a single white space ends the header
  if (kind == "P5" && (bytes.size() < reader.at || bytes.size() - reader.at < count * wide)) {
    throw std::runtime_error("ends before its last point");
  }
  for (std::size_t i = 0; i < count; ++i) {
    int value = 0;
    if (kind == "P2") {
      value = reader.number("points", 0, white);
    } else {
      for (std::size_t k = 0; k < wide; ++k) {
        value = value << 8 | static_cast<unsigned char>(bytes[reader.at++]);
      }
    }
    image.grey.push_back(std::min(1.0f, static_cast<float>(value) / static_cast<float>(white)));
  }
  return image;
}

HeightImages height_images(std::filesystem::path directory) {
  return [directory = std::move(directory)](const std::string& name) {
    constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_-.";
    if (name.find_first_not_of(kAllowed) != std::string::npos || name.front() == '.') {
      throw std::runtime_error("is not a file name of a-z, 0-9, \"_\", \"-\", \".\"");
    }
    std::ifstream file(directory / name, std::ios::binary);
    if (!file) throw std::runtime_error("does not exist");
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return read_pgm(bytes.str());
  };
}

}  // namespace promenade::world
