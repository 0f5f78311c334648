#include "control/pendulum/gait_store.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "control/pendulum/program_id.h"

namespace promenade::control::pendulum {
namespace {

namespace fs = std::filesystem;

// First word of a file; it changes when the words after it get another meaning.
constexpr std::uint64_t kFormat = 0x4741495400000001ULL;
// A table has some 15,000 words; a longer file is no table and is not read.
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

/// The tables in a directory; those that can be listed where its disk fails.
std::vector<fs::path> files_in(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code failed;
  fs::directory_iterator file(directory, failed);
  for (; !failed && file != fs::directory_iterator(); file.increment(failed)) {
    if (file->path().extension() == kExtension) files.push_back(file->path());
  }
  return files;
}

/// Removes those that were written longest ago, as by earlier programs, where there are too many.
void prune(const fs::path& directory) {
  constexpr std::size_t kMostFiles = 400;  // files of 100 KB each
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code failed;
  for (fs::path& path : files_in(directory)) {
    const auto written = fs::last_write_time(path, failed);
    files.emplace_back(written, std::move(path));
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

/// @param path  of a file; its name is under the checksum
std::shared_ptr<const GaitTable> read(const fs::path& path, std::size_t links) {
  const auto words = words_in(path);
  if (!words || words->front() != kFormat) return nullptr;
  const auto content = std::span(*words).subspan(1, words->size() - 2);
  if (words->back() != checksum(content, path.filename().string())) return nullptr;
  StateVisitor reader = StateVisitor::reader(content);
  auto table = std::make_shared<GaitTable>(std::vector<GaitCycle>(), 0);
  table->visit(reader);
  if (!reader.error().empty() || reader.left() > 0 || !table->is_of(links)) return nullptr;
  return table;
}

std::string digest(std::initializer_list<const std::string*> parts) {
  std::string all;
  for (const std::string* part : parts) add_part(all, *part);
  const boost::uuids::name_generator_sha1 hash{boost::uuids::uuid{}};
  return boost::uuids::to_string(hash(all.data(), all.size()));
}

}  // namespace

std::string GaitStore::name_of(const std::string& creature, const std::string& style,
                               const std::string& parameters) {
  static const std::string program = program_id();
  if (program.empty()) return "";
  return digest({&program, &creature, &style, &parameters});
}

std::string GaitStore::kept_file(const std::string& name) const {
  if (kept_for_ == For::kInstallation) return name + kExtension;
  static const std::string around = what_computes();
  static const std::string machine = digest({&around});
  return name + "." + machine + kExtension;
}

std::shared_ptr<const GaitTable> GaitStore::find(const std::string& name, std::size_t links) const {
  if (name.empty()) return nullptr;
  for (const fs::path& directory : ready_) {
    if (auto table = read(directory / (name + kExtension), links)) return table;
  }
  return keep_.empty() ? nullptr : read(keep_ / kept_file(name), links);
}

bool GaitStore::keep(const std::string& name, const GaitTable& table) const {
  if (name.empty() || keep_.empty()) return false;
  std::error_code failed;
  fs::create_directories(keep_, failed);
  const std::string file = kept_file(name);
  StateVisitor::Buffer words{kFormat};
  write_state(table, words);
  words.push_back(checksum(std::span(words).subspan(1), file));
  // Another thread or process may write the same table at this moment: each under a name of its
  // own, and the last that is renamed stays.
  static std::atomic<unsigned> count{0};
  const fs::path under_way =
      keep_ / (file + "." + std::to_string(::getpid()) + "-" + std::to_string(++count));
  std::ofstream out(under_way, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(words.data()),
            std::streamsize(words.size() * sizeof(std::uint64_t)));
  out.close();
  if (out) fs::rename(under_way, keep_ / file, failed);
  if (!out || failed) {
    fs::remove(under_way, failed);
    return false;
  }
  prune(keep_);
  return true;
}

void GaitStore::remove_others(const std::vector<std::string>& names) const {
  std::set<fs::path> stay;
  for (const std::string& name : names) stay.insert(keep_ / kept_file(name));
  std::error_code failed;
  for (const fs::path& path : files_in(keep_)) {
    if (!stay.contains(path)) fs::remove(path, failed);
  }
}

}  // namespace promenade::control::pendulum
