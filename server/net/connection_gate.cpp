#include "net/connection_gate.h"

namespace promenade::net {

std::unique_ptr<ConnectionGate::Ticket> ConnectionGate::enter(const std::string& address) {
  const std::lock_guard lock(mutex_);
  if (total_ >= max_total_) return nullptr;
  std::size_t& here = by_address_[address];
  if (max_per_address_ > 0 && here >= max_per_address_) return nullptr;
  ++here;
  ++total_;
  return std::make_unique<Ticket>(shared_from_this(), address);
}

std::size_t ConnectionGate::count() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

void ConnectionGate::leave(const std::string& address) {
  const std::lock_guard lock(mutex_);
  --total_;
  const auto found = by_address_.find(address);
  if (--found->second == 0) by_address_.erase(found);
}

}  // namespace promenade::net
