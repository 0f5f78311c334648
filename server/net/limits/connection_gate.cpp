#include "net/limits/connection_gate.h"

namespace promenade::net {

ConnectionGate::Entry ConnectionGate::enter(const Visitor& visitor) {
  const std::lock_guard lock(mutex_);
  Place place = Place::kOpen;
  if (total_ >= max_total_) {
    place = Place::kFull;
  } else if (has_most(visitor)) {
    place = Place::kVisitorFull;
  }
  if (place == Place::kOpen) {
    ++by_visitor_[visitor.key];
    ++total_;
  } else {
    if (!may_reserve(visitor)) return {nullptr, place};
    count_reserved(visitor, true);
  }
  return {std::make_unique<Ticket>(shared_from_this(), visitor, place), place};
}

std::size_t ConnectionGate::count() const {
  const std::lock_guard lock(mutex_);
  return total_ + reserved_;
}

bool ConnectionGate::has_most(const Visitor& visitor) const {
  if (max_per_visitor_ == 0 || visitor.exempt) return false;
  const auto found = by_visitor_.find(visitor.key);
  return found != by_visitor_.end() && found->second >= max_per_visitor_;
}

bool ConnectionGate::may_reserve(const Visitor& visitor) const {
  if (reserved_ >= kReserved) return false;
  if (visitor.exempt) return true;
  const auto here = reserved_by_visitor_.find(visitor.key);
  const std::size_t its = here == reserved_by_visitor_.end() ? 0 : here->second;
  return reserved_of_others_ < kReservedOfOthers && its < kReservedPerVisitor;
}

void ConnectionGate::count_reserved(const Visitor& visitor, bool more) {
  const auto count = [more](std::size_t& number) { more ? ++number : --number; };
  count(reserved_);
  if (visitor.exempt) return;
  count(reserved_of_others_);
  if (more) {
    ++reserved_by_visitor_[visitor.key];
  } else {
    decrease(reserved_by_visitor_, visitor.key);
  }
}

void ConnectionGate::leave(const Visitor& visitor, Place place) {
  const std::lock_guard lock(mutex_);
  if (place == Place::kOpen) {
    --total_;
    return decrease(by_visitor_, visitor.key);
  }
  count_reserved(visitor, false);
}

void ConnectionGate::decrease(Counts& counts, const std::string& key) {
  const auto found = counts.find(key);
  if (--found->second == 0) counts.erase(found);
}

bool ConnectionGate::Ticket::pass_to(const Visitor& visitor) {
  const std::lock_guard lock(gate_->mutex_);
  if (place_ == Place::kOpen) {
    if (gate_->has_most(visitor)) return false;
    decrease(gate_->by_visitor_, visitor_.key);
    ++gate_->by_visitor_[visitor.key];
  } else {
    gate_->count_reserved(visitor_, false);
    const bool may = gate_->may_reserve(visitor);
    gate_->count_reserved(may ? visitor : visitor_, true);
    if (!may) return false;
  }
  visitor_ = visitor;
  return true;
}

}  // namespace promenade::net
