#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "net/context.h"
#include "net/limits/connection_gate.h"

namespace promenade::net {

/// Serves HTTP on a new connection until it ends or becomes a WebSocket.
/// @param socket  bound to a strand of its own
void serve_http(boost::asio::ip::tcp::socket socket, std::shared_ptr<Context> context,
                std::unique_ptr<ConnectionGate::Ticket> ticket);

/// Answers without reading what is asked, and closes.
void refuse(boost::asio::ip::tcp::socket socket, const HttpResponse& response);

/// The answer to a connection that has no open place.
HttpResponse no_place(ConnectionGate::Place place);
/// The answer to a visitor who does something too often. @param what  "connections", "requests"
HttpResponse too_often(const char* what, const Rate& rate);

}  // namespace promenade::net
