#include "isolation/archive.h"

namespace promenade::isolation {

void Archive::bytes(void* data, std::size_t count) {
  if (count == 0) return;
  if (out_) {
    out_->append(static_cast<const char*>(data), count);
  } else if (count > in_.size()) {
    good_ = false;
    in_ = {};
    std::memset(data, 0, count);
  } else {
    std::memcpy(data, in_.data(), count);
    in_.remove_prefix(count);
  }
}

}  // namespace promenade::isolation
