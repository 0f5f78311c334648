#pragma once

#include <cerrno>

namespace promenade::store {

/// Whether an errno says that a disk has no room, or may only be read: the same may be possible
/// later, without anybody doing anything about the program.
inline bool is_no_room(int error) {
  return error == ENOSPC || error == EDQUOT || error == EROFS || error == EFBIG;
}

}  // namespace promenade::store
