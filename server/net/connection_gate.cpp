#include "net/connection_gate.h"

namespace promenade::net {

ConnectionGate::Entry ConnectionGate::enter(const Visitor& visitor) {
  const std::lock_guard lock(mutex_);
  Place place = Place::kOpen;
  if (total_ >= max_total_) {
    place = Place::kFull;
  } else if (has_most(visitor)) {
    place = Place::kVisitorFull;
  }
  if (place != Place::kOpen && !reserve(visitor)) return {nullptr, place};
  if (place == Place::kOpen) {
    ++by_visitor_[visitor.key];
    ++total_;
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

bool ConnectionGate::reserve(const Visitor& visitor) {
  if (reserved_ >= kReserved) return false;
  if (!visitor.exempt && reserved_of_others_ >= kReservedOfOthers) return false;
  std::size_t& here = reserved_by_visitor_[visitor.key];
  if (here >= kReservedPerVisitor) return false;
  ++here;
  ++reserved_;
  if (!visitor.exempt) ++reserved_of_others_;
  return true;
}

void ConnectionGate::leave(const Visitor& visitor, Place place) {
  const std::lock_guard lock(mutex_);
  if (place == Place::kOpen) {
    --total_;
    return decrease(by_visitor_, visitor.key);
  }
  --reserved_;
  if (!visitor.exempt) --reserved_of_others_;
  decrease(reserved_by_visitor_, visitor.key);
}

void ConnectionGate::decrease(Counts& counts, const std::string& key) {
  const auto found = counts.find(key);
  if (--found->second == 0) counts.erase(found);
}

bool ConnectionGate::Ticket::pass_to(const Visitor& visitor) {
  const std::lock_guard lock(gate_->mutex_);
  if (place_ != Place::kOpen || gate_->has_most(visitor)) return false;
  decrease(gate_->by_visitor_, visitor_.key);
  ++gate_->by_visitor_[visitor.key];
  visitor_ = visitor;
  return true;
}

}  // namespace promenade::net
