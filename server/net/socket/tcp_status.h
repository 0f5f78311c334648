#pragma once

#include <cstdint>
#include <optional>

#include "net/types.h"

namespace promenade::net {

/// The kernel's figures of a TCP connection.
struct TcpStatus {
  std::uint64_t unacknowledged = 0;  // bytes written that the other side has not acknowledged
  Clock::duration round_trip{};      // the shortest seen; asked for where bytes are unacknowledged
};

/// @param descriptor  of a connected socket. @return nothing where the kernel does not say
std::optional<TcpStatus> tcp_status(int descriptor);

}  // namespace promenade::net
