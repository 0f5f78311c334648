#pragma once

#include <memory>

namespace promenade::physics {

/// Buffers that steps work in. It carries nothing from one step to the next but memory, so that any
/// bodies may be stepped in any workspace, with the same result. One step at a time: each thread
/// that steps bodies owns one.
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
