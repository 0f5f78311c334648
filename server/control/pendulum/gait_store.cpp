#include "control/pendulum/gait_store.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "control/pendulum/program_digest.h"

namespace promenade::control::pendulum {
namespace {

namespace fs = std::filesystem;

// First word of a file; another one where what follows means something else.
constexpr std::uint64_t kFormat = 0x4741495400000001ULL;
// A table has some 15,000 words; a longer file is none of ours and is not read.
constexpr std::uintmax_t kMostBytes = 4 << 20;
constexpr const char* kExtension = ".gait";

void add_part(std::string& all, const std::string& part) {
  const auto size = std::uint64_t(part.size());
  all.append(reinterpret_cast<const char*>(&size), sizeof size);
  all += part;
}

std::uint64_t checksum(std::span<const std::uint64_t> words, const std::string& name) {
  Hash hash;
  hash.add(std::string_view(name));
  for (const std::uint64_t word : words) hash.add(word);
  return hash.value();
}

/// Removes those that were written longest ago, as by earlier programs, where there are too many.
void prune(const fs::path& directory) {
  constexpr std::size_t kMostFiles = 400;  // of 130 KB each
  std::error_code failed;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const auto& file : fs::directory_iterator(directory, failed)) {
    if (file.path().extension() == kExtension) {
      files.emplace_back(file.last_write_time(failed), file.path());
    }
  }
  if (files.size() <= kMostFiles) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - kMostFiles);
  for (const auto& [time, path] : files) fs::remove(path, failed);
}

std::optional<StateVisitor::Buffer> words_in(const fs::path& path) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  if (failed || size < 3 * sizeof(std::uint64_t) || size > kMostBytes ||
      size % sizeof(std::uint64_t) != 0) {
    return std::nullopt;
  }
  StateVisitor::Buffer words(size / sizeof(std::uint64_t));
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char*>(words.data()), std::streamsize(size));
  if (!in) return std::nullopt;
  return words;
}

std::shared_ptr<const GaitTable> read(const fs::path& path, const std::string& name,
                                      std::size_t links) {
  const auto words = words_in(path);
  if (!words || words->front() != kFormat) return nullptr;
  const auto content = std::span(*words).subspan(1, words->size() - 2);
  if (words->back() != checksum(content, name)) return nullptr;
  StateVisitor reader = StateVisitor::reader(content);
  auto table = std::make_shared<GaitTable>(std::vector<GaitCycle>(), 0);
  table->visit(reader);
  if (!reader.error().empty() || reader.left() > 0 || !table->is_of(links)) return nullptr;
  return table;
}

}  // namespace

std::string GaitStore::name_of(const std::string& creature, const std::string& style,
                               const std::string& parameters) {
  static const std::string program = program_digest();
  if (program.empty()) return "";
  std::string all;
  for (const std::string* part : {&program, &creature, &style, &parameters}) add_part(all, *part);
  const boost::uuids::name_generator_sha1 hash{boost::uuids::uuid{}};
  return boost::uuids::to_string(hash(all.data(), all.size())) + kExtension;
}

std::shared_ptr<const GaitTable> GaitStore::find(const std::string& name, std::size_t links) const {
  if (name.empty()) return nullptr;
  for (const fs::path& directory : ready_) {
    if (auto table = read(directory / name, name, links)) return table;
  }
  return keep_.empty() ? nullptr : read(keep_ / name, name, links);
}

bool GaitStore::keep(const std::string& name, const GaitTable& table) const {
  if (name.empty() || keep_.empty()) return false;
  std::error_code failed;
  fs::create_directories(keep_, failed);
  StateVisitor::Buffer words{kFormat};
  write_state(table, words);
  words.push_back(checksum(std::span(words).subspan(1), name));
  // Another thread or process may write the same table at this moment: each under a name of its
  // own, and the last that is renamed stays.
  static std::atomic<unsigned> count{0};
  const fs::path under_way =
      keep_ / (name + "." + std::to_string(::getpid()) + "-" + std::to_string(++count));
  {
    std::ofstream out(under_way, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(words.data()),
              std::streamsize(words.size() * sizeof(std::uint64_t)));
    out.flush();
    if (!out) {
      out.close();
      fs::remove(under_way, failed);
      return false;
    }
  }
  fs::rename(under_way, keep_ / name, failed);
  if (failed) {
    fs::remove(under_way, failed);
    return false;
  }
  prune(keep_);
  return true;
}

}  // namespace promenade::control::pendulum
