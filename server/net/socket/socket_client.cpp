#include "net/socket/socket_client.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

namespace promenade::net {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using tcp = asio::ip::tcp;

struct SocketClient::Impl {
  asio::io_context io;
  websocket::stream<tcp::socket, false> socket{io};  // false: no compression
  boost::beast::flat_buffer received;
};

SocketClient::SocketClient(std::uint16_t port, const std::string& path,
                           const std::string& subprotocol)
    : impl_(std::make_unique<Impl>()) {
  impl_->socket.next_layer().connect({asio::ip::address_v4::loopback(), port});
  impl_->socket.set_option(
      websocket::stream_base::decorator([&subprotocol](websocket::request_type& request) {
        request.set(boost::beast::http::field::sec_websocket_protocol, subprotocol);
      }));
  impl_->socket.handshake("localhost:" + std::to_string(port), path);
  impl_->socket.binary(true);
}

SocketClient::~SocketClient() {
  boost::system::error_code ignored;
  impl_->socket.next_layer().close(ignored);
}

void SocketClient::send(std::string_view bytes) { impl_->socket.write(asio::buffer(bytes)); }

std::string SocketClient::receive() {
  impl_->received.clear();
  impl_->socket.read(impl_->received);
  return boost::beast::buffers_to_string(impl_->received.data());
}

}  // namespace promenade::net
