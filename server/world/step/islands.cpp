#include "world/step/islands.h"

#include <algorithm>
#include <numeric>

namespace promenade::world {

std::uint32_t Islands::find(std::uint32_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

// The lowest member is the root, so the result does not depend on the order of joining.
void Islands::join(std::uint32_t one, std::uint32_t other) {
  const std::uint32_t a = find(one), b = find(other);
  if (a != b) parent_[std::max(a, b)] = std::min(a, b);
}

void Islands::build(std::span<const Eigen::AlignedBox3d> boxes, std::span<const Pair> joined) {
  const auto count = std::uint32_t(boxes.size());
  // Reserved for the worst case, so that a tick with more islands than before allocates nothing.
  for (auto* list : {&by_x_, &root_order_, &members_}) list->reserve(count);
  start_.reserve(count + 1);
  parent_.resize(count);
  std::iota(parent_.begin(), parent_.end(), 0u);
  by_x_.clear();
  in_.assign(count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (boxes[i].isEmpty()) continue;
    by_x_.push_back(i);
    in_[i] = 1;
  }
  for (const auto& [a, b] : joined) {
    in_[a] = in_[b] = 1;
    join(a, b);
  }
  std::sort(by_x_.begin(), by_x_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double xa = boxes[a].min().x(), xb = boxes[b].min().x();
    return xa != xb ? xa < xb : a < b;
  });
  for (std::size_t i = 0; i < by_x_.size(); ++i) {
    const auto& box = boxes[by_x_[i]];
    for (std::size_t j = i + 1; j < by_x_.size(); ++j) {
      const auto& other = boxes[by_x_[j]];
      if (other.min().x() > box.max().x()) break;
      if (box.intersects(other)) join(by_x_[i], by_x_[j]);
    }
  }

  size_.assign(count, 0);
  root_order_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!in_[i]) continue;
    const std::uint32_t root = find(i);
    if (size_[root]++ == 0) root_order_.push_back(root);
  }
  std::sort(root_order_.begin(), root_order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return size_[a] != size_[b] ? size_[a] > size_[b] : a < b;
  });
  start_.clear();
  start_.push_back(0);
  place_.resize(count);
  for (const std::uint32_t root : root_order_) {
    place_[root] = start_.back();
    start_.push_back(start_.back() + size_[root]);
  }
  members_.resize(start_.back());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (in_[i]) members_[place_[find(i)]++] = i;
  }
}

}  // namespace promenade::world
