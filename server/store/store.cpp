#include "store/store.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "store/layout.h"
#include "store/no_room.h"
#include "store/statement.h"
#include "store/store_copy.h"
#include "store/write_probe.h"

namespace promenade::store {
namespace {

constexpr int kPatienceMs = 5000;  // how long a call waits for another process that is writing

// A deletion is a version of its own, and the newest version is always kept, so that no number is
// given twice.
constexpr const char* kTables = R"(
  CREATE TABLE definitions (
    kind TEXT NOT NULL CHECK (kind IN ('style', 'body', 'gait')),
    name TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    saved_at_ms INTEGER NOT NULL,
    deleted INTEGER NOT NULL CHECK (deleted IN (0, 1)),
    content TEXT NOT NULL,
    PRIMARY KEY (kind, name, version)
  );
  PRAGMA application_id = 1347571533;
  PRAGMA user_version = 2;
)";
static_assert(kApplication == 1347571533 && kSchema == 2);

/// Layout 1 has the same columns, but no kind "gait".
void renew_layout_1(sqlite3* database) {
  execute(database, "ALTER TABLE definitions RENAME TO definitions_1;");
  execute(database, kTables);
  execute(database,
          "INSERT INTO definitions SELECT kind, name, version, saved_at_ms, deleted, content "
          "FROM definitions_1; DROP TABLE definitions_1;");
}

std::int64_t now_ms() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             system_clock::now().time_since_epoch())
      .count();
}

// Columns: name, version, saved_at_ms, deleted, content.
Record read_record(const Statement& row) {
  Record out;
  out.name = row.text(0);
  out.version = static_cast<std::uint32_t>(row.integer(1));
  out.saved_at_ms = row.integer(2);
  out.deleted = row.integer(3) != 0;
  out.content = row.text(4);
  return out;
}

std::int64_t count_tables(sqlite3* database) {
  Statement tables(database, "SELECT count(*) FROM sqlite_schema");
  tables.step();
  return tables.integer(0);
}

struct Newest {
  std::uint32_t version = 0;  // 0: never saved
  bool deleted = false;
  std::uint32_t in_force() const { return deleted ? 0 : version; }
};

}  // namespace

const char* kind_name(Kind kind) {
  return kind == Kind::kStyle ? "style" : kind == Kind::kBody ? "body" : "gait";
}

struct Store::Impl {
  Impl(const std::filesystem::path& file, std::int64_t most_bytes, std::string why_closed = "")
      : max_bytes(most_bytes), closed(std::move(why_closed)) {
    if (file != ":memory:" && file.has_parent_path()) {
      std::error_code error;
      std::filesystem::create_directories(file.parent_path(), error);
      if (error) {
        throw StoreError(
            "the directory " + file.parent_path().string() + " cannot be made: " + error.message(),
            is_no_room(error.value()));
      }
    }
    const int opened =
        sqlite3_open_v2(file.c_str(), &database,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    try {
      if (opened != SQLITE_OK) fail(database, "it cannot be opened");
      sqlite3_busy_timeout(database, kPatienceMs);
      prepare();
      records.emplace(database, closed);
    } catch (...) {
      sqlite3_close(database);
      throw;
    }
  }
  ~Impl() { sqlite3_close(database); }

  void prepare() {
    const std::int64_t application = pragma(database, "application_id");
    if (application != kApplication && (application != 0 || count_tables(database) > 0)) {
      throw StoreError("it is a database of another program");
    }
    // A commit is in the log, and the log on the disk, before COMMIT returns.
    execute(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    Transaction transaction(database);
    // Counted again within the transaction: another process may have made the tables meanwhile.
    if (count_tables(database) == 0) {
      execute(database, kTables);
    } else if (pragma(database, "user_version") == 1) {
      renew_layout_1(database);
    }
    transaction.commit();
    check_layout(database);
    Statement check(database, "PRAGMA quick_check(1)");
    if (!check.step() || check.text(0) != "ok") {
      throw StoreError("it is damaged: " + check.text(0));
    }
  }

  Newest newest(Kind kind, const std::string& name) const {
    Statement row(database,
                  "SELECT version, deleted FROM definitions WHERE kind = ? AND name = ? "
                  "ORDER BY version DESC LIMIT 1");
    if (!row.bind(kind_name(kind)).bind(name).step()) return {};
    return {static_cast<std::uint32_t>(row.integer(0)), row.integer(1) != 0};
  }

  std::int64_t names_in_force(Kind kind) const {
    Statement row(database,
                  "SELECT count(*) FROM definitions d WHERE kind = ? AND deleted = 0 AND version = "
                  "(SELECT max(version) FROM definitions WHERE kind = d.kind AND name = d.name)");
    row.bind(kind_name(kind)).step();
    return row.integer(0);
  }

  Record add(Kind kind, Record record) {
    record.saved_at_ms = now_ms();
    Statement(database,
              "INSERT INTO definitions (kind, name, version, saved_at_ms, deleted, content) "
              "VALUES (?, ?, ?, ?, ?, ?)")
        .bind(kind_name(kind))
        .bind(record.name)
        .bind(std::int64_t{record.version})
        .bind(record.saved_at_ms)
        .bind(std::int64_t{record.deleted ? 1 : 0})
        .bind(record.content)
        .step();
    Statement(database, "DELETE FROM definitions WHERE kind = ? AND name = ? AND version <= ?")
        .bind(kind_name(kind))
        .bind(record.name)
        .bind(std::int64_t{record.version} - kMaxVersions)
        .step();
    return record;
  }

  std::int64_t used_bytes() const {
    return (pragma(database, "page_count") - pragma(database, "freelist_count")) *
           pragma(database, "page_size");
  }

  sqlite3* database = nullptr;
  const std::int64_t max_bytes;
  const std::string closed;  // why nothing can be changed; empty: it can
  std::optional<Records> records;
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

std::unique_ptr<Store> Store::copy_in_memory(const std::filesystem::path& file,
                                             const std::string& why) {
  auto impl = std::make_unique<Impl>(":memory:", 0, why);
  std::error_code ignored;
  // A file that an opening on a full disk has left behind is empty.
  if (std::filesystem::is_regular_file(file, ignored) &&
      std::filesystem::file_size(file, ignored) > 0) {
    try {
      copy_rows(file, impl->database);
    } catch (const StoreError& error) {
      throw StoreError("the store " + file.string() + ": " + error.what(), error.no_room);
    }
  }
  return std::unique_ptr<Store>(new Store(std::move(impl)));
}

const std::string& Store::closed() const { return impl_->closed; }

Store::Store(const std::filesystem::path& file, std::int64_t max_bytes) {
  try {
    impl_ = std::make_unique<Impl>(file, max_bytes);
  } catch (const StoreError& error) {
    // SQLite tries to read what it cannot write, and then knows only why that failed.
    const bool no_room =
        error.no_room || (file != ":memory:" && is_no_room(error_of_writing(file.parent_path())));
    throw StoreError("the store " + file.string() + ": " + error.what(), no_room);
  }
}

Store::~Store() = default;

Outcome Store::save(Kind kind, const std::string& name, const std::string& content,
                    std::uint32_t based_on) {
  if (!closed().empty()) throw StoreError(closed(), true);
  Transaction transaction(impl_->database);
  const Newest newest = impl_->newest(kind, name);
  if (newest.in_force() != based_on) {
    return {Outcome::What::kConflict, {}, newest.in_force()};
  }
  if (based_on == 0 && impl_->names_in_force(kind) >= std::int64_t{kMaxNames}) {
    return {Outcome::What::kFull, {}, 0};
  }
  if (impl_->used_bytes() + static_cast<std::int64_t>(content.size()) > impl_->max_bytes) {
    return {Outcome::What::kTooLarge, {}, 0};
  }
  Outcome out;
  out.record = impl_->add(kind, {name, newest.version + 1, 0, false, content});
  transaction.commit();
  return out;
}

Outcome Store::remove(Kind kind, const std::string& name, std::optional<std::uint32_t> based_on) {
  if (!closed().empty()) throw StoreError(closed(), true);
  Transaction transaction(impl_->database);
  const Newest newest = impl_->newest(kind, name);
  if (newest.in_force() == 0) return {Outcome::What::kNotThere, {}, 0};
  if (based_on && *based_on != newest.version) {
    return {Outcome::What::kConflict, {}, newest.version};
  }
  Outcome out;
  out.record = impl_->add(kind, {name, newest.version + 1, 0, true, ""});
  transaction.commit();
  return out;
}

std::vector<Record> Store::in_force(Kind kind) const {
  Statement rows(impl_->database,
                 "SELECT name, version, saved_at_ms, deleted, content "
                 "FROM definitions d WHERE kind = ? AND deleted = 0 AND version = "
                 "(SELECT max(version) FROM definitions WHERE kind = d.kind AND name = d.name) "
                 "ORDER BY name");
  rows.bind(kind_name(kind));
  std::vector<Record> out;
  while (rows.step()) out.push_back(read_record(rows));
  return out;
}

std::optional<Record> Store::find(Kind kind, const std::string& name, std::uint32_t version) const {
  Statement row(impl_->database,
                "SELECT name, version, saved_at_ms, deleted, content "
                "FROM definitions WHERE kind = ? AND name = ? AND version = ?");
  if (!row.bind(kind_name(kind)).bind(name).bind(std::int64_t{version}).step()) {
    return std::nullopt;
  }
  return read_record(row);
}

std::vector<Record> Store::versions(Kind kind, const std::string& name) const {
  Statement rows(impl_->database,
                 "SELECT name, version, saved_at_ms, deleted, content FROM definitions "
                 "WHERE kind = ? AND name = ? ORDER BY version DESC");
  rows.bind(kind_name(kind)).bind(name);
  std::vector<Record> out;
  while (rows.step()) out.push_back(read_record(rows));
  return out;
}

Records& Store::records() { return *impl_->records; }

std::int64_t Store::used_bytes() const { return impl_->used_bytes(); }

std::int64_t Store::foreign_changes() const { return pragma(impl_->database, "data_version"); }

}  // namespace promenade::store
