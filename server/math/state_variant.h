#pragma once

#include <cstddef>
#include <variant>

#include "math/state.h"

namespace promenade {

/// Visits one of several objects: its place among them, then itself.
template <typename... Objects>
void visit_one_of(std::variant<Objects...>& value, StateVisitor& state) {
  std::size_t place = value.index();
  state.choice(place, sizeof...(Objects));
  if (state.reading()) {
    std::size_t at = 0;
    ((at++ == place ? void(value.template emplace<Objects>()) : void()), ...);
  }
  std::visit([&state](auto& object) { object.visit(state); }, value);
}

}  // namespace promenade
