#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "net/limits/visitor.h"

namespace promenade::net {

/// Counts connections, in all and by visitor, and refuses those beyond the limits. Beyond them a
/// few get a reserved place, so that those who watch the server can still ask how it does. Any
/// thread.
class ConnectionGate : public std::enable_shared_from_this<ConnectionGate> {
 public:
  /// Reserved places: in all, of those who are not exempt from the limits, and of one visitor. The
  /// probes of this machine itself always find some: others cannot take them all. A visitor through
  /// a proxy of this machine counts as one of the others once that shows: see pass_to().
  static constexpr std::size_t kReserved = 32, kReservedOfOthers = 28, kReservedPerVisitor = 4;

  /// @param per_visitor  0: no such limit. Visitors who are exempt have none in any case.
  ConnectionGate(std::size_t total, std::size_t per_visitor)
      : max_total_(total), max_per_visitor_(per_visitor) {}

  enum class Place {
    kOpen,         // within the limits
    kFull,         // beyond: the server has as many connections as it may
    kVisitorFull,  // beyond: the visitor has
  };

  /// A place, given back when it is destroyed; a reserved one unless it is open.
  class Ticket {
   public:
    Ticket(std::shared_ptr<ConnectionGate> gate, Visitor visitor, Place place)
        : gate_(std::move(gate)), visitor_(std::move(visitor)), place_(place) {}
    ~Ticket() { gate_->leave(visitor_, place_); }
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
    Place place() const { return place_; }

    /// The connection turns out to be somebody else's: a proxy made it.
    /// @return false, and nothing changes, where that visitor has as many as it may, of places of
    /// this kind
    bool pass_to(const Visitor& visitor);

   private:
    std::shared_ptr<ConnectionGate> gate_;
    Visitor visitor_;
    Place place_;
  };

  struct Entry {
    std::unique_ptr<Ticket> ticket;  // null where there is no reserved place either
    Place place = Place::kOpen;
  };
  Entry enter(const Visitor& visitor);
  /// All connections that have a place.
  std::size_t count() const;

 private:
  bool has_most(const Visitor& visitor) const;
  bool may_reserve(const Visitor& visitor) const;
  void count_reserved(const Visitor& visitor, bool more);
  void leave(const Visitor& visitor, Place place);

  using Counts = std::unordered_map<std::string, std::size_t>;
  static void decrease(Counts& counts, const std::string& key);

  const std::size_t max_total_, max_per_visitor_;
  mutable std::mutex mutex_;
  std::size_t total_ = 0, reserved_ = 0, reserved_of_others_ = 0;
  Counts by_visitor_, reserved_by_visitor_;
};

}  // namespace promenade::net
