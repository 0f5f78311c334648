#pragma once

#include <string>
#include <vector>

struct sqlite3;

namespace promenade::store {

/// Texts by kind and key in the file of a Store: things made while the program ran that are to be
/// there at its next start, as rooms and invitations. Only the newest text of a key is kept. As
/// with a Store, a call's changes are on the disk when it returns, calls throw StoreError, and only
/// one thread may use it.
class Records {
 public:
  struct Entry {
    std::string key;
    std::string content;
  };

  /// Makes the table if it is not there. @param database  open; outlives this object
  /// @param closed  why nothing can be changed; empty: it can. Outlives this object
  Records(sqlite3* database, const std::string& closed);

  void put(const std::string& kind, const std::string& key, const std::string& content);
  void erase(const std::string& kind, const std::string& key);
  /// Ordered by key.
  std::vector<Entry> all(const std::string& kind) const;

 private:
  sqlite3* database_;
  const std::string& closed_;
};

}  // namespace promenade::store
