#include "store/statement.h"

#include "store/no_room.h"
#include "store/store.h"

namespace promenade::store {

void fail(sqlite3* database, const std::string& what) {
  if (!database) throw StoreError(what + ": out of memory");
  const int code = sqlite3_errcode(database) & 0xff;
  const bool of_disk = code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
  const bool no_room =
      code == SQLITE_FULL || (of_disk && is_no_room(sqlite3_system_errno(database)));
  throw StoreError(what + ": " + sqlite3_errmsg(database), no_room);
}

void execute(sqlite3* database, const char* sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail(database, "the store refused a statement");
  }
}

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  if (sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement_,
                         nullptr) != SQLITE_OK) {
    fail(database, "the store cannot be read");
  }
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(std::int64_t value) {
  if (sqlite3_bind_int64(statement_, ++bound_, value) != SQLITE_OK) {
    fail(database_, "the store refused a number");
  }
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  if (sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT,
                          SQLITE_UTF8) != SQLITE_OK) {
    fail(database_, "the store refused a text");
  }
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) fail(database_, "the store cannot be read or written");
  return false;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes ? std::string(bytes, size) : std::string();
}

Transaction::Transaction(sqlite3* database) : database_(database) {
  execute(database, "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  execute(database_, "COMMIT");
  open_ = false;
}

}  // namespace promenade::store
