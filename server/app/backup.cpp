#include "service/store/backup.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include "app/stored_files.h"
#include "app/subcommands.h"
#include "command/complain.h"
#include "command/files.h"
#include "world/library/library.h"

namespace promenade::app {
namespace {

namespace fs = std::filesystem;

struct BackupOptions {
  service::ServerFiles from;
  fs::path to, verify;
};

std::uint64_t bytes_of(const v1::BackupManifest& manifest) {
  std::uint64_t bytes = 0;
  for (const v1::BackupFile& file : manifest.files()) bytes += file.bytes();
  return bytes;
}

void print(const char* what, const fs::path& backup, const v1::BackupManifest& manifest) {
  std::printf("%s %s, made %s by Promenade %s: %d files, %.1f MB\n", what, backup.c_str(),
              manifest.made_at().c_str(), manifest.version().c_str(), manifest.files_size(),
              1e-6 * double(bytes_of(manifest)));
  for (const v1::BackupRoom& room : manifest.rooms()) {
    std::printf("  room %s: scene %s, tick %llu, state hash %s\n", room.id().c_str(),
                room.scene().c_str(), static_cast<unsigned long long>(room.tick()),
                room.state_hash().empty() ? "of its start" : room.state_hash().c_str());
  }
}

/// Prints what a backup lacks, which need not be a mistake: where it is made and where it is
/// checked.
void print_lacking(const v1::BackupManifest& manifest) {
  const auto has = [&](const std::string& path) {
    return std::any_of(manifest.files().begin(), manifest.files().end(),
                       [&](const v1::BackupFile& file) { return file.path() == path; });
  };
  const auto tell = [](const char* what) { std::printf("  not included: %s\n", what); };
  if (!has(service::kStoreFile)) {
    tell("a store (saved styles and bodies, rooms, invitations, bans)");
  }
  if (!has(service::kTokensFile)) tell("a token file");
  if (manifest.rooms().empty()) tell("rooms; they would start from their scenes");
}

int make(BackupOptions options) {
  // The user's store need not be there: a server may keep nothing.
  const bool named = !options.from.store.empty();
  if (named || !command::user_data_directory().empty()) {
    options.from.store = store_or_default(options.from.store);
  }
  std::error_code ignored;
  if (!named && !fs::exists(options.from.store, ignored)) options.from.store.clear();
  const auto made = service::make_backup(options.from, options.to);
  if (!made) return command::complain("backup", made.error().text());
  print("wrote", options.to, *made);
  print_lacking(*made);
  return 0;
}

int verify(const fs::path& backup, const command::CommonOptions& common) {
  const auto manifest = service::check_files(backup);
  if (!manifest) return command::complain("backup", manifest.error().text());
  const auto library = Library::load(common.data_dir);
  if (!library) return command::complain("backup", library.error().text());
  if (const auto error = service::check_all(backup, *manifest, *library)) {
    return command::complain("backup", error->text());
  }
  print("whole:", backup, *manifest);
  print_lacking(*manifest);
  return 0;
}

}  // namespace

command::Run add_backup(CLI::App& command, const command::CommonOptions& common) {
  auto options = std::make_shared<BackupOptions>();
  add_stored_files(command, options->from);
  CLI::Option* to =
      command
          .add_option("--to", options->to, "Directory of the new backup; it must not exist yet.")
          ->type_name("DIR")
          ->envname("PROMENADE_BACKUP_TO");
  command
      .add_option("--verify", options->verify,
                  "Makes no backup but checks this one: its digests, and that the store, the "
                  "tokens and every room can be used and lead to the same state hashes.")
      ->type_name("DIR")
      ->envname("PROMENADE_BACKUP_VERIFY")
      ->excludes(to);
  command.footer(
      "Copies the files that `serve` uses with the same settings, whether or not it runs. The "
      "backup gets\nits name only once it is complete and on the disk. `promenade restore` puts it "
      "back.");
  return [options, &common] {
    if (!options->verify.empty()) return verify(options->verify, common);
    if (options->to.empty()) {
      throw CLI::ValidationError(
          "--to", "name the directory of the new backup, or check a backup with --verify");
    }
    return make(*options);
  };
}

}  // namespace promenade::app
