#include "control/ahead/features.h"

#include <algorithm>

namespace promenade::control::ahead {

const Feature& Features::operator[](int index) const {
  // The nearest of those that are left of each kind, so many times.
  std::array<int, kFeatureKinds> next{};
  for (;;) {
    int nearest = -1;
    for (int k = 0; k < kFeatureKinds; ++k) {
      const auto here = of(FeatureKind(k));
      if (next[std::size_t(k)] == here.size()) continue;
      if (nearest < 0 || here[next[std::size_t(k)]].near <
                             of(FeatureKind(nearest))[next[std::size_t(nearest)]].near)
        nearest = k;
    }
    if (index-- == 0) return of(FeatureKind(nearest))[next[std::size_t(nearest)]];
    ++next[std::size_t(nearest)];
  }
}

void Features::add(const Feature& feature) {
  if (is_full(feature.kind)) return;
  Feature* const first = &list_[first_of(feature.kind)];
  Feature* at = first + count_[std::size_t(feature.kind)]++;
  for (; at > first && (at - 1)->near > feature.near; --at) *at = *(at - 1);
  *at = feature;
}

void Features::extend_board(double far, double top) {
  Feature& last =
      list_[first_of(FeatureKind::kBoard) + std::size_t(count(FeatureKind::kBoard)) - 1];
  last.far = far;
  last.top = std::max(last.top, top);
}

void Features::visit(StateVisitor& state) {
  state(direction_);
  for (int k = 0; k < kFeatureKinds; ++k) {
    const auto kind = FeatureKind(k);
    state.choice(count_[std::size_t(k)], std::size_t(capacity(kind)) + 1);
    for (int i = 0; i < count(kind); ++i) {
      Feature& f = list_[first_of(kind) + std::size_t(i)];
      state(f.near, f.far, f.top, f.base);
      if (!state.reading()) continue;
      f.kind = kind;
      if (i > 0 && f.near < list_[first_of(kind) + std::size_t(i) - 1].near)
        return state.fail("has a list that is not in order");
    }
  }
}

}  // namespace promenade::control::ahead
