#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>

// Private to store/: SQLite's calls with C++'s lifetimes and errors.
namespace promenade::store {

/// Throws StoreError with SQLite's own words.
[[noreturn]] void fail(sqlite3* database, const std::string& what);

/// Runs statements that give no rows. Throws StoreError.
void execute(sqlite3* database, const char* sql);

/// One prepared statement; its values are bound in order from 1.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value);
  Statement& bind(std::string_view text);
  /// @return whether there is another row. Throws StoreError.
  bool step();
  std::int64_t integer(int column) const;
  std::string text(int column) const;

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

/// A transaction that holds the right to write from its beginning; rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(sqlite3* database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  sqlite3* database_;
  bool open_ = true;
};

}  // namespace promenade::store
