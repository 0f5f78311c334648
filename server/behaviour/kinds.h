#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "behaviour/behaviour.h"
#include "behaviour/direct.h"
#include "behaviour/flow/on_errand.h"
#include "behaviour/path_follower.h"
#include "behaviour/wander.h"

// The list of all behaviours, and what follows from it: their numbers, the orders that they begin
// with, and how one is made.
namespace promenade::behaviour {

namespace tasks {
class Worker;  // has no Order: nobody begins with tasks
}

template <typename... Each>
struct BehaviourList {
  static constexpr std::size_t kCount = sizeof...(Each);
  /// The place of one of them; kCount: it is not listed.
  template <typename One>
  static constexpr std::size_t place() {
    std::size_t at = 0;
    (void)((std::is_same_v<One, Each> || (++at, false)) || ...);
    return at;
  }
};

/// Saved states number them in this order: new ones come last.
using Behaviours = BehaviourList<Direct, PathFollower, Wander, flow::OnErrand, tasks::Worker>;

/// The place of a behaviour's class in Behaviours.
enum class BehaviourKind : std::uint8_t {};
inline constexpr std::size_t kBehaviourKinds = Behaviours::kCount;

template <typename One>
constexpr BehaviourKind kind_of() {
  static_assert(Behaviours::place<One>() < kBehaviourKinds, "it is not in the list Behaviours");
  return BehaviourKind{std::uint8_t(Behaviours::place<One>())};
}
BehaviourKind kind_of(const Behaviour& behaviour);

/// A behaviour that is told by a value what to do: One::Order, with which one can be made, and with
/// which somebody can begin.
template <typename One>
concept TakesOrder = requires {
  typename One::Order;
};

namespace detail {

template <typename One>
struct OrdersOf {
  using Type = std::tuple<>;
};
template <TakesOrder One>
struct OrdersOf<One> {
  using Type = std::tuple<typename One::Order>;
};

template <typename... Orders>
std::variant<Orders...> variant_of(const std::tuple<Orders...>&);
template <typename... Each>
auto orders_of(BehaviourList<Each...>)
    -> decltype(variant_of(std::tuple_cat(typename OrdersOf<Each>::Type{}...)));

}  // namespace detail

/// What somebody is told to do: the Order of any behaviour that has one. By default to stand.
using Order = decltype(detail::orders_of(Behaviours{}));

std::unique_ptr<Behaviour> make_behaviour(const Order& order, const Start& start);
/// One that a saved state is to be read into.
std::unique_ptr<Behaviour> make_behaviour(BehaviourKind kind);

}  // namespace promenade::behaviour
