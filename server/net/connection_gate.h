#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace promenade::net {

/// Counts connections, in all and by address, and refuses those beyond the limits.
class ConnectionGate : public std::enable_shared_from_this<ConnectionGate> {
 public:
  /// @param per_address  0: no limit by address
  ConnectionGate(std::size_t total, std::size_t per_address)
      : max_total_(total), max_per_address_(per_address) {}

  /// A place, given back when it is destroyed.
  class Ticket {
   public:
    Ticket(std::shared_ptr<ConnectionGate> gate, std::string address)
        : gate_(std::move(gate)), address_(std::move(address)) {}
    ~Ticket() { gate_->leave(address_); }
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;

   private:
    std::shared_ptr<ConnectionGate> gate_;
    std::string address_;
  };

  /// @return null when there is no place
  std::unique_ptr<Ticket> enter(const std::string& address);
  std::size_t count() const;

 private:
  void leave(const std::string& address);

  const std::size_t max_total_, max_per_address_;
  mutable std::mutex mutex_;
  std::size_t total_ = 0;
  std::unordered_map<std::string, std::size_t> by_address_;
};

}  // namespace promenade::net
