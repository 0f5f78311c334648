#include "store/records.h"

#include "store/statement.h"
#include "store/store.h"

namespace promenade::store {

Records::Records(sqlite3* database, const std::string& closed)
    : database_(database), closed_(closed) {
  execute(database_,
          "CREATE TABLE IF NOT EXISTS records (kind TEXT NOT NULL, key TEXT NOT NULL, "
          "content TEXT NOT NULL, PRIMARY KEY (kind, key))");
}

void Records::put(const std::string& kind, const std::string& key, const std::string& content) {
  if (!closed_.empty()) throw StoreError(closed_, true);
  Statement(database_, "INSERT OR REPLACE INTO records (kind, key, content) VALUES (?, ?, ?)")
      .bind(kind)
      .bind(key)
      .bind(content)
      .step();
}

void Records::erase(const std::string& kind, const std::string& key) {
  if (!closed_.empty()) throw StoreError(closed_, true);
  Statement(database_, "DELETE FROM records WHERE kind = ? AND key = ?")
      .bind(kind)
      .bind(key)
      .step();
}

std::vector<Records::Entry> Records::all(const std::string& kind) const {
  Statement rows(database_, "SELECT key, content FROM records WHERE kind = ? ORDER BY key");
  rows.bind(kind);
  std::vector<Entry> out;
  while (rows.step()) out.push_back({rows.text(0), rows.text(1)});
  return out;
}

}  // namespace promenade::store
