#include "world/beside/command_lanes.h"

#include <algorithm>
#include <utility>

#include "math/thread_clock.h"
#include "world/command/command_codec.h"

namespace promenade::world {
namespace {

constexpr int kTries = 4;  // times that a thing is made anew as the room has changed meanwhile

/// Whether nothing is left to be made for the command. Somebody's style may have changed while the
/// gait of a new body in the one before was measured.
bool is_all(const Preparation& prepared, const Command& command, Room& room) {
  if (!room.fits(command, prepared)) return false;
  if (prepared.made.room || prepared.made.flow) return true;
  return room.prepare(command) == nullptr;
}

}  // namespace

void Order::refuse(const CommandError& error, std::uint64_t tick) const {
  if (const auto* save = std::get_if<Save>(&what)) {
    if (save->reply) save->reply(error);
  } else if (reply) {
    CommandResult result;
    result.tick = tick;
    result.error = error;
    reply(result);
  }
}

CommandLanes::CommandLanes(std::shared_ptr<SideThread> side, double rate,
                           std::function<void()> wake)
    : side_(std::move(side)),
      bell_(std::make_shared<Bell>()),
      beside_s_(std::make_shared<std::atomic<double>>(0)),
      purses_({kOnRoom * rate, kSavedOnRoom}) {
  bell_->ring = std::move(wake);
}

CommandLanes::~CommandLanes() {
  for (const auto& [payer, lane] : lanes_) {
    for (const Held& held : lane) {
      if (held.job) held.job->wanted = false;
    }
  }
  for (const auto& [character, job] : later_) job->wanted = false;
  const std::lock_guard lock(bell_->mutex);
  bell_->ring = nullptr;
}

void CommandLanes::take(Order order) {
  Lane& lane = lanes_[order.payer];
  const bool waits = !lane.empty() && (lane.front().job || lane.front().waited);
  if (waits && lane.size() >= kMostHeld && !order.payer.empty()) {
    Turn turn;
    const auto* command = std::get_if<Command>(&order.what);
    turn.refused =
        CommandError{CommandError::Code::kBusy, command ? command_name(*command) : "checkpoint",
                     "one more than " + std::to_string(kMostHeld) + " that wait",
                     "up to " + std::to_string(kMostHeld) + " of one visitor",
                     "as many of your commands as may wait are waiting already, for what takes "
                     "long to make: send more when they are answered"};
    turn.order = std::move(order);
    overfull_.push_back(std::move(turn));
    return;
  }
  lane.push_back({++orders_, std::move(order)});
  ++held_;
}

std::optional<CommandLanes::Turn> CommandLanes::next(Room& room, const Judge& judge) {
  if (!overfull_.empty()) {
    Turn turn = std::move(overfull_.front());
    overfull_.pop_front();
    return turn;
  }
  // Few payers have orders at the same time.
  std::vector<std::map<std::string, Lane>::iterator> by_number;
  for (auto at = lanes_.begin(); at != lanes_.end(); ++at) by_number.push_back(at);
  std::sort(by_number.begin(), by_number.end(), [](const auto& a, const auto& b) {
    return a->second.front().number < b->second.front().number;
  });
  for (const auto& at : by_number) {
    Held& head = at->second.front();
    Turn turn;
    if (!may_go(head, room, judge, turn.refused)) continue;
    if (head.job) turn.prepared = head.job->preparation;
    turn.order = std::move(head.order);
    at->second.pop_front();
    --held_;
    if (at->second.empty()) lanes_.erase(at);
    return turn;
  }
  return std::nullopt;
}

bool CommandLanes::may_go(Held& head, Room& room, const Judge& judge,
                          std::optional<CommandError>& refused) {
  if (head.job && !head.job->done) return false;
  if (!head.job && purses_.saved(head.order.payer, Purse::Clock::now()) <= 0) {
    if (!std::exchange(head.waited, true)) ++put_off_;
    return false;
  }
  refused = judge(head.order);
  if (refused) return true;
  const auto* command = std::get_if<Command>(&head.order.what);
  if (head.job && (!command || is_all(*head.job->preparation, *command, room))) return true;
  if (head.tries >= kTries) {
    drop_job(head);  // it changes too fast: the room's thread makes it
    return true;
  }
  drop_job(head);
  auto needed = preparation_of(head.order, room);
  if (!needed || make_later(head.order, needed)) return true;
  make(head, std::move(needed));
  return false;
}

std::unique_ptr<Preparation> CommandLanes::preparation_of(const Order& order, Room& room) const {
  if (const auto* command = std::get_if<Command>(&order.what)) return room.prepare(*command);
  if (const auto* state = std::get_if<Order::State>(&order.what)) return room.prepare(*state);
  return nullptr;
}

void CommandLanes::make(Held& held, std::unique_ptr<Preparation> preparation) {
  ++held.tries;
  held.job = submit(held.order.payer, std::move(preparation));
}

bool CommandLanes::make_later(const Order& order, std::unique_ptr<Preparation>& preparation) {
  if (!preparation->needed_later) return false;
  std::erase_if(later_, [](const auto& one) { return one.second->done.load(); });
  const CharacterId character = *preparation->needed_later;
  const auto before = later_.find(character);
  if (before == later_.end() && later_.size() >= kMostLater) return false;
  if (before != later_.end()) before->second->wanted = false;
  later_[character] = submit(order.payer, std::move(preparation));
  return true;
}

std::shared_ptr<CommandLanes::Job> CommandLanes::submit(const std::string& payer,
                                                        std::unique_ptr<Preparation> preparation) {
  auto made = std::make_shared<Job>();
  made->preparation = std::move(preparation);
  side_->submit(payer, [job = made, bell = bell_, used = beside_s_] {
    if (!job->wanted) return true;
    const double began = thread_cpu_s();
    const bool last = job->preparation->make_part();
    *used += thread_cpu_s() - began;
    if (!last) return false;
    job->done = true;
    const std::lock_guard lock(bell->mutex);
    if (bell->ring) bell->ring();
    return true;
  });
  return made;
}

void CommandLanes::drop_job(Held& held) {
  if (const auto job = std::exchange(held.job, nullptr)) discard(std::move(job->preparation));
}

void CommandLanes::charge(const std::string& payer, double seconds) {
  commands_s_ += seconds;
  purses_.charge(payer, seconds, Purse::Clock::now());
}

void CommandLanes::discard(std::shared_ptr<Preparation> used) {
  if (!used) return;
  side_->submit("", [held = std::move(used)]() mutable {
    held.reset();
    return true;
  });
}

std::optional<Purse::Clock::time_point> CommandLanes::opens() {
  const auto now = Purse::Clock::now();
  std::optional<Purse::Clock::time_point> out;
  for (const auto& [payer, lane] : lanes_) {
    if (lane.front().job) continue;
    const auto at = purses_.opens(payer, now);
    if (!out || at < *out) out = at;
  }
  return out;
}

std::vector<Order> CommandLanes::close() {
  std::vector<Order> out;
  for (Turn& turn : overfull_) out.push_back(std::move(turn.order));
  for (auto& [payer, lane] : lanes_) {
    for (Held& held : lane) {
      if (held.job) held.job->wanted = false;
      out.push_back(std::move(held.order));
    }
  }
  overfull_.clear();
  lanes_.clear();
  held_ = 0;
  return out;
}

std::optional<SceneMaking> CommandLanes::making() const {
  for (const auto& [payer, lane] : lanes_) {
    const Held& head = lane.front();
    if (!head.job) continue;
    if (const auto* command = std::get_if<Command>(&head.order.what)) {
      const auto* load = std::get_if<LoadScene>(command);
      if (!load) continue;
      return SceneMaking{load->scene, head.job->preparation->share(),
                         head.job->preparation->doing(), false};
    }
  }
  return std::nullopt;
}

}  // namespace promenade::world
