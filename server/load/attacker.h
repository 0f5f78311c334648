#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>

#include "load/attacks.h"
#include "load/viewer.h"

namespace promenade::load {

/// One hostile client: carries out attacks one after another, each chosen at random, each on a
/// connection of its own.
class Attacker : public std::enable_shared_from_this<Attacker> {
 public:
  Attacker(Shared& shared, int number, KindFigures& figures);

  void start();
  void stop();

 private:
  void open();
  void send(std::string bytes);
  void sent(boost::system::error_code error);
  void read();
  void over(const std::string& how);

  Shared& shared_;
  const int number_;
  KindFigures& figures_;
  Random random_;
  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer pause_;
  const Attack* attack_ = nullptr;
  int piece_ = 0;
  bool connected_ = false;
  std::string outgoing_;
  std::array<char, 16384> incoming_;
};

}  // namespace promenade::load
