#include "load/attacker.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace promenade::load {
namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

Attacker::Attacker(Shared& shared, int number, KindFigures& figures)
    : shared_(shared),
      number_(number),
      figures_(figures),
      random_(Random::stream(shared.plan.seed, static_cast<std::uint64_t>(number))),
      socket_(shared.io),
      pause_(shared.io) {}

void Attacker::start() { open(); }

void Attacker::open() {
  if (shared_.ending) return;
  const std::string& only = shared_.plan.attack;
  attack_ = only.empty() ? &attacks()[random_.below(attacks().size())] : find_attack(only);
  piece_ = 0;
  socket_ = tcp::socket(shared_.io);
  if (const auto error = bind_source(socket_, shared_, number_)) {
    return over("cannot use its address: " + error.message());
  }
  socket_.async_connect(shared_.server, [self = shared_from_this()](error_code error) {
    if (error) return self->over("connect: " + error.message());
    self->connected_ = true;
    ++self->figures_.connected;
    ++self->figures_.tried[self->attack_->name];
    if (self->shared_.measuring) ++self->figures_.attacks;
    const auto& plan = self->shared_.plan;
    if (self->attack_->reads) self->read();
    self->send(
        self->attack_->opening(plan, plan.host + ":" + std::to_string(plan.port), self->random_));
  });
}

void Attacker::send(std::string bytes) {
  outgoing_ = std::move(bytes);
  if (outgoing_.empty()) return sent({});  // an attack that waits
  asio::async_write(
      socket_, asio::buffer(outgoing_),
      [self = shared_from_this()](error_code error, std::size_t) { self->sent(error); });
}

void Attacker::sent(error_code error) {
  if (!connected_) return;
  if (error) return over(error.message());
  if (piece_ >= attack_->pieces) return over("carried out");
  // Bytes after an upgrade may be sent before the server's answer is read: that is allowed.
  pause_.expires_after(attack_->pause);
  pause_.async_wait([self = shared_from_this()](error_code cancelled) {
    if (cancelled || !self->connected_) return;
    const auto next = self->attack_->next;
    self->send(next ? next(self->shared_.plan, self->piece_, self->random_) : std::string());
    ++self->piece_;
  });
}

void Attacker::read() {
  socket_.async_read_some(asio::buffer(incoming_),
                          [self = shared_from_this()](error_code error, std::size_t size) {
                            if (!self->connected_) return;
                            if (self->shared_.measuring) self->figures_.bytes += size;
                            if (error) return self->over("ended by the server");
                            self->read();
                          });
}

void Attacker::over(const std::string& how) {
  if (shared_.ending) return;
  ++figures_.ends[how];
  if (std::exchange(connected_, false)) --figures_.connected;
  error_code ignored;
  socket_.close(ignored);
  pause_.expires_after(std::chrono::milliseconds(50));
  pause_.async_wait([self = shared_from_this()](error_code cancelled) {
    if (!cancelled) self->open();
  });
}

void Attacker::stop() {
  connected_ = false;
  pause_.cancel();
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace promenade::load
