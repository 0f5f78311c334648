#pragma once

#include <memory>

namespace promenade::physics {

/// Buffers for steps. Nothing but allocated memory stays in it from one step to the next, so any
/// bodies may be stepped in any workspace with the same result. It serves one step at a time: each
/// thread that steps bodies has its own.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  struct Buffers;
  Buffers& buffers() { return *buffers_; }

 private:
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace promenade::physics
