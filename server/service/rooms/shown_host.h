#pragma once

#include <string>

namespace promenade::service {

/// The host of a URL at which a browser on this machine reaches a server that listens there. An
/// address is not replaced by a name: "localhost" may be the other loopback address.
/// @param address  "localhost" or an IP address
std::string shown_host(const std::string& address);

}  // namespace promenade::service
