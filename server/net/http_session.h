#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "net/connection_gate.h"
#include "net/context.h"

namespace promenade::net {

/// Serves HTTP on a new connection until it ends or becomes a WebSocket.
/// @param socket  bound to a strand of its own
void serve_http(boost::asio::ip::tcp::socket socket, std::shared_ptr<Context> context,
                std::unique_ptr<ConnectionGate::Ticket> ticket);

/// Answers 503 and closes: the server is full.
void refuse_full(boost::asio::ip::tcp::socket socket);

}  // namespace promenade::net
