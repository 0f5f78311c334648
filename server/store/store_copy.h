#pragma once

#include <filesystem>

struct sqlite3;

namespace promenade::store {

/// Copies a store into a new file, as it is at one moment, while others may read and write it:
/// all that was saved before the call is in the copy, and no save is there in part. The copy is a
/// single file, and on the disk when the call returns. Throws StoreError; then there may be a part
/// of a copy.
/// @param to  must not be there
void copy_store(const std::filesystem::path& from, const std::filesystem::path& to);

/// Copies all rows of a store into an open one that is empty, where the disk of the first has no
/// room for what SQLite needs beside a file that it opens as usual. Throws StoreError.
void copy_rows(const std::filesystem::path& from, sqlite3* to);

/// Reads all of a copy without changing anything beside it. Throws StoreError where it is damaged,
/// or is no store of this program.
void check_store_copy(const std::filesystem::path& file);

}  // namespace promenade::store
