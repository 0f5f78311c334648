#include "isolation/order_book.h"

#include <utility>

#include "isolation/message_codec.h"

namespace promenade::isolation {
namespace {

using world::CommandError;
using world::CommandResult;

void refuse(const OrderBook::Waiting& waiting, const CommandError& error, std::uint64_t tick) {
  if (waiting.saved) return waiting.saved(error);
  if (!waiting.reply) return;
  CommandResult result;
  result.tick = tick;
  result.error = error;
  waiting.reply(result);
}

}  // namespace

bool OrderBook::give(v1::RoomOrder order, Waiting waiting) {
  const std::lock_guard lock(mutex_);
  if (closed_ || waiting_.size() >= capacity_) {
    ++busy_;
    return false;
  }
  order.set_number(++last_);
  waiting.since = Clock::now();
  waiting_.emplace(last_, std::move(waiting));
  orders_.push_back(std::move(order));
  return true;
}

void OrderBook::tell(v1::RoomOrder order) {
  const std::lock_guard lock(mutex_);
  orders_.push_back(std::move(order));
}

std::vector<v1::RoomOrder> OrderBook::take() {
  std::vector<v1::RoomOrder> out;
  const std::lock_guard lock(mutex_);
  out.swap(orders_);
  return out;
}

void OrderBook::answer(const v1::RoomAnswer& answer) {
  Waiting waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(answer.number());
    if (found == waiting_.end()) return;
    waiting = std::move(found->second);
    waiting_.erase(found);
  }
  if (!waiting.saved) {
    if (waiting.reply) waiting.reply(decode_result(answer));
  } else if (answer.has_saved()) {
    waiting.saved(answer.saved());
  } else {
    const CommandResult result = decode_result(answer);
    waiting.saved(result.error.value_or(
        CommandError{CommandError::Code::kInternal, "", "", "", "the state was not saved"}));
  }
}

void OrderBook::refuse_all(const std::string& why, std::uint64_t tick) {
  std::map<std::uint64_t, Waiting> gone;
  {
    const std::lock_guard lock(mutex_);
    gone.swap(waiting_);
    orders_.clear();
  }
  for (const auto& [number, waiting] : gone) {
    refuse(waiting, {CommandError::Code::kBusy, "", "", "", why}, tick);
  }
}

void OrderBook::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

bool OrderBook::empty() const { return waiting() == 0; }

std::size_t OrderBook::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

std::uint64_t OrderBook::busy() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

std::optional<OrderBook::Clock::time_point> OrderBook::oldest() const {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  return waiting_.begin()->second.since;
}

}  // namespace promenade::isolation
