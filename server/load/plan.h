#pragma once

#include <cstdint>
#include <string>

namespace promenade::load {

/// The clients that put a server under load, and for how long.
struct Plan {
  std::string host = "localhost";
  std::uint16_t port = 8080;
  std::string room;     // empty: the server's default room
  std::string token;    // of honest, slow and dead viewers; empty: guests
  int honest = 50;      // join, read everything at once, and come back when they are cut off
  int slow = 0;         // join and read slow_bytes_per_s
  int dead = 0;         // join, then read nothing
  int hostile = 0;      // one attack after another, see attacks.h
  std::string attack;   // the only one of them; empty: all by chance
  double rate_hz = 30;  // of frames, asked for by viewers
  double seconds = 10;  // measured, once all have connected
  double joins_per_second = 200;   // while they connect
  double stay_s = 0;               // after which an honest viewer leaves and comes back; 0: stays
  double slow_bytes_per_s = 15e3;  // read by each slow viewer
  int sources = 1;  // addresses that clients come from: 127.0.0.1, 127.0.0.2, ...; 1: any
  std::uint64_t seed = 1;
};

}  // namespace promenade::load
