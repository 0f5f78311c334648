#include "store/store_copy.h"

#include <cstdint>
#include <filesystem>
#include <string>

#include "store/layout.h"
#include "store/statement.h"
#include "store/store.h"

namespace promenade::store {
namespace {

constexpr int kCopyPatienceMs = 5000;  // with another process that holds the file for itself

/// An open file of SQLite.
class Database {
 public:
  Database(const std::string& name, int flags) {
    const int opened = sqlite3_open_v2(name.c_str(), &database_, flags, nullptr);
    if (opened == SQLITE_OK) {
      sqlite3_busy_timeout(database_, kCopyPatienceMs);
      return;
    }
    try {
      fail(database_, "it cannot be opened");
    } catch (...) {
      sqlite3_close(database_);
      throw;
    }
  }
  ~Database() { sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  sqlite3* get() const { return database_; }

 private:
  sqlite3* database_ = nullptr;
};

/// A file's name as a URI, in which ?, # and % would mean something.
std::string uri_of(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '?') {
      uri += "%3f";
    } else if (c == '#') {
      uri += "%23";
    } else if (c == '%') {
      uri += "%25";
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

void copy_pages(sqlite3* from, sqlite3* to) {
  sqlite3_backup* backup = sqlite3_backup_init(to, "main", from, "main");
  if (!backup) fail(to, "the copy cannot begin");
  // All pages in one step, so in one transaction of reading: no writer makes it begin anew, and it
  // holds up no writer.
  const int copied = sqlite3_backup_step(backup, -1);
  const int finished = sqlite3_backup_finish(backup);
  if (copied != SQLITE_DONE || finished != SQLITE_OK) fail(to, "it cannot be copied");
}

void copy_table(sqlite3* from, sqlite3* to, const std::string& table, int columns) {
  Statement there(from, "SELECT count(*) FROM sqlite_schema WHERE name = ?");
  there.bind(table).step();
  if (there.integer(0) == 0) return;
  std::string marks = "?";
  for (int i = 1; i < columns; ++i) marks += ", ?";
  const std::string insert = "INSERT OR REPLACE INTO " + table + " VALUES (" + marks + ")";
  Statement rows(from, "SELECT * FROM " + table);
  while (rows.step()) {
    // SQLite turns texts into the numbers of a column.
    Statement row(to, insert);
    for (int i = 0; i < columns; ++i) row.bind(rows.text(i));
    row.step();
  }
}

}  // namespace

void copy_rows(const std::filesystem::path& from, sqlite3* to) {
  const auto copy = [to](sqlite3* source) {
    check_layout(source);
    Transaction transaction(to);
    copy_table(source, to, "definitions", 6);
    copy_table(source, to, "records", 3);
    transaction.commit();
  };
  try {
    // With the file locked, its log needs no index in a file beside it. The log stays as it is.
    const Database source(from, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX);
    sqlite3_db_config(source.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    execute(source.get(), "PRAGMA locking_mode = EXCLUSIVE");
    copy(source.get());
  } catch (const StoreError&) {
    // On a disk that may only be read; without the log, so not where there is one.
    std::filesystem::path log = from;
    log += "-wal";
    std::error_code none;
    if (std::filesystem::file_size(log, none) > 0 && !none) throw;
    const Database source(uri_of(from),
                          SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI);
    copy(source.get());
  }
}

void copy_store(const std::filesystem::path& from, const std::filesystem::path& to) {
  const auto say = [&](const StoreError& error) {
    return StoreError("the store " + from.string() + ": " + error.what());
  };
  try {
    // Not only for reading: to read a store whose server was killed is to take up its log.
    const Database source(from, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX);
    check_layout(source.get());
    const Database target(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX);
    execute(target.get(), "PRAGMA synchronous = FULL");
    copy_pages(source.get(), target.get());
    // The pages say that there is a log beside the file; from here on there is none.
    execute(target.get(), "PRAGMA journal_mode = DELETE");
  } catch (const StoreError& error) {
    throw say(error);
  }
}

void check_store_copy(const std::filesystem::path& file) {
  try {
    const Database copy(uri_of(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI);
    check_layout(copy.get());
    Statement check(copy.get(), "PRAGMA integrity_check(1)");
    if (!check.step() || check.text(0) != "ok") {
      throw StoreError("it is damaged: " + check.text(0));
    }
  } catch (const StoreError& error) {
    throw StoreError(file.string() + ": " + error.what());
  }
}

}  // namespace promenade::store
