#include "behaviour/kinds.h"

#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>

#include "behaviour/tasks/worker.h"

namespace promenade::behaviour {
namespace {

template <typename... Each>
BehaviourKind find_kind(const Behaviour& one, BehaviourList<Each...>) {
  std::uint8_t at = 0;
  if (((typeid(one) == typeid(Each) || (++at, false)) || ...)) return BehaviourKind{at};
  throw std::logic_error(std::string(typeid(one).name()) + " is not in the list Behaviours");
}

template <typename... Each>
std::unique_ptr<Behaviour> make_ordered(const Order& order, const Start& start,
                                        BehaviourList<Each...>) {
  std::unique_ptr<Behaviour> made;
  const auto offer = [&]<typename One>(std::type_identity<One>) {
    if constexpr (TakesOrder<One>) {
      const auto* own = std::get_if<typename One::Order>(&order);
      if (own) made = std::make_unique<One>(*own, start);
    }
  };
  (offer(std::type_identity<Each>{}), ...);
  return made;
}

template <typename One>
std::unique_ptr<Behaviour> make_empty() {
  if constexpr (TakesOrder<One>) {
    return std::make_unique<One>(typename One::Order{}, Start{});
  } else {
    return std::make_unique<One>();
  }
}

template <typename... Each>
std::unique_ptr<Behaviour> make_empty(BehaviourKind kind, BehaviourList<Each...>) {
  std::unique_ptr<Behaviour> made;
  ((kind == kind_of<Each>() ? void(made = make_empty<Each>()) : void()), ...);
  return made;
}

}  // namespace

BehaviourKind kind_of(const Behaviour& behaviour) { return find_kind(behaviour, Behaviours{}); }

std::unique_ptr<Behaviour> make_behaviour(const Order& order, const Start& start) {
  return make_ordered(order, start, Behaviours{});
}

std::unique_ptr<Behaviour> make_behaviour(BehaviourKind kind) {
  return make_empty(kind, Behaviours{});
}

}  // namespace promenade::behaviour
