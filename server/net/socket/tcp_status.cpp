#include "net/socket/tcp_status.h"

#include <linux/sockios.h>
// The C library's <netinet/tcp.h> ends before the fields that are needed, and cannot stand beside
// this one.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstddef>

namespace promenade::net {

std::optional<TcpStatus> tcp_status(int descriptor) {
  int queued = 0;
  if (ioctl(descriptor, SIOCOUTQ, &queued) != 0 || queued < 0) return std::nullopt;
  TcpStatus status;
  status.unacknowledged = static_cast<std::uint64_t>(queued);
  if (queued == 0) return status;
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
      size < offsetof(tcp_info, tcpi_min_rtt) + sizeof info.tcpi_min_rtt) {
    return std::nullopt;
  }
  // Without a sample the kernel gives the greatest number.
  if (info.tcpi_min_rtt != ~__u32{0}) {
    status.round_trip = std::chrono::microseconds(info.tcpi_min_rtt);
  }
  return status;
}

}  // namespace promenade::net
