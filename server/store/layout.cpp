#include "store/layout.h"

#include "store/statement.h"
#include "store/store.h"

namespace promenade::store {

std::int64_t pragma(sqlite3* database, const std::string& name) {
  Statement statement(database, "PRAGMA " + name);
  return statement.step() ? statement.integer(0) : 0;
}

void check_layout(sqlite3* database) {
  if (pragma(database, "application_id") != kApplication) {
    throw StoreError("it is a database of another program");
  }
  const std::int64_t schema = pragma(database, "user_version");
  if (schema < 1 || schema > kSchema) {
    throw StoreError("it has the layout " + std::to_string(schema) + "; this program knows 1 to " +
                     std::to_string(kSchema));
  }
}

}  // namespace promenade::store
