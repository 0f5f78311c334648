#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>

// Private to store/: how a file is known to be a store.
namespace promenade::store {

inline constexpr std::int64_t kApplication = 0x50524f4d;  // "PROM": marks files of this program
/// Layout of the tables. Those of earlier ones can be read, and are renewed when the file is
/// opened.
inline constexpr std::int64_t kSchema = 2;

std::int64_t pragma(sqlite3* database, const std::string& name);

/// Throws StoreError where the file is another program's, or of a newer one.
void check_layout(sqlite3* database);

}  // namespace promenade::store
