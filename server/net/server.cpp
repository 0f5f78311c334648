#include "net/server.h"

#include <spdlog/spdlog.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <thread>
#include <utility>

#include "net/context.h"
#include "net/http/http_session.h"
#include "net/socket/socket_session.h"

namespace promenade::net {
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

void Context::add(const std::shared_ptr<SocketSession>& session) {
  const std::lock_guard lock(mutex_);
  std::erase_if(sessions_, [](const auto& one) { return one.expired(); });
  sessions_.push_back(session);
}

std::vector<std::shared_ptr<SocketSession>> Context::live_sessions() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<SocketSession>> live;
  for (const auto& one : sessions_) {
    if (auto session = one.lock()) live.push_back(std::move(session));
  }
  return live;
}

struct Server::Impl {
  Impl(const ServerSettings& settings, Metrics& metrics, HttpHandler http, SocketFactory sockets)
      : context(std::make_shared<Context>(settings, metrics, std::move(http), std::move(sockets))),
        io(settings.threads) {}

  // There is one for each address that is listened on.
  struct Listener {
    explicit Listener(asio::io_context& io)
        : acceptor(asio::make_strand(io)), retry(acceptor.get_executor()) {}
    tcp::acceptor acceptor;
    asio::steady_timer retry;
  };

  void listen(const tcp::endpoint& endpoint) {
    auto listener = std::make_shared<Listener>(io);
    tcp::acceptor& acceptor = listener->acceptor;
    acceptor.open(endpoint.protocol());
    acceptor.set_option(asio::socket_base::reuse_address(true));
    const asio::ip::address& address = endpoint.address();
    // An IPv4 address that is written as IPv6 (::ffff:127.0.0.1) cannot be bound by IPv6 alone.
    if (address.is_v6() && !address.is_unspecified() && !address.to_v6().is_v4_mapped()) {
      acceptor.set_option(asio::ip::v6_only(true));
    }
    acceptor.bind(endpoint);
    acceptor.listen(asio::socket_base::max_listen_connections);
    if (port == 0) port = acceptor.local_endpoint().port();
    listeners.push_back(std::move(listener));
  }

  void accept(const std::shared_ptr<Listener>& listener) {
    listener->acceptor.async_accept(
        asio::make_strand(io),
        [this, listener](boost::system::error_code error, tcp::socket socket) {
          if (error == asio::error::operation_aborted || stopping) return;
          if (error) {
            // Most likely there are no file descriptors left; some are free when connections have
            // ended.
            context->log.warn("accept", "cannot accept a connection: " + error.message());
            listener->retry.expires_after(std::chrono::milliseconds(200));
            listener->retry.async_wait([this, listener](boost::system::error_code cancelled) {
              if (!cancelled) accept(listener);
            });
            return;
          }
          take(std::move(socket));
          accept(listener);
        });
  }

  void take(tcp::socket socket) {
    context->accepted.add();
    boost::system::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    socket.set_option(
        asio::socket_base::send_buffer_size(context->settings.limits.send_buffer_bytes), ignored);
    const auto peer = socket.remote_endpoint(ignored).address();
    Visitor visitor = visitor_of(peer);
    // A proxy's visitors show when a request is read; it may have a connection for each.
    if (context->settings.proxies.contains(peer)) visitor.exempt = true;
    if (!visitor.exempt &&
        !context->visitors.take(visitor.key, AddressLimits::Kind::kConnection, 1, Clock::now())) {
      context->refused_connections.add();
      return on_strand(std::move(socket),
                       [rate = context->settings.limits.visitor_connections](tcp::socket one) {
                         refuse(std::move(one), too_often("connections", rate));
                       });
    }
    auto [ticket, place] = context->gate->enter(visitor);
    if (place != ConnectionGate::Place::kOpen) {
      context->refused(place).add();
      const bool all = place == ConnectionGate::Place::kFull;
      context->log.info(
          all ? "full" : "visitor_full",
          "refused " + visitor.address + ": " +
              (all ? "all connections are taken" : "this address has as many as allowed"));
    }
    if (!ticket) {
      return on_strand(std::move(socket), [place = place](tcp::socket one) {
        refuse(std::move(one), no_place(place));
      });
    }
    on_strand(std::move(socket),
              [context = context, ticket = std::move(ticket)](tcp::socket one) mutable {
                serve_http(std::move(one), std::move(context), std::move(ticket));
              });
  }

  template <typename Work>
  static void on_strand(tcp::socket socket, Work work) {
    const auto strand = socket.get_executor();
    asio::post(strand, [socket = std::move(socket), work = std::move(work)]() mutable {
      work(std::move(socket));
    });
  }

  void repeat(const std::shared_ptr<asio::steady_timer>& timer, std::chrono::milliseconds period,
              std::function<void()> work) {
    timer->expires_after(period);
    timer->async_wait(
        [this, timer, period, work = std::move(work)](boost::system::error_code cancelled) mutable {
          if (cancelled || stopping) return;
          work();
          repeat(timer, period, std::move(work));
        });
  }

  void run() {
    for (;;) {
      try {
        io.run();
        return;
      } catch (const std::exception& error) {
        // A bug; it costs one connection, not the server.
        spdlog::error("network: {}", error.what());
      }
    }
  }

  std::shared_ptr<Context> context;
  asio::io_context io;
  std::vector<std::shared_ptr<Listener>> listeners;
  std::vector<std::thread> threads;
  std::uint16_t port = 0;
  std::atomic<bool> stopping{false};
};

Server::Server(const ServerSettings& settings, Metrics& metrics, HttpHandler http,
               SocketFactory sockets)
    : impl_(std::make_unique<Impl>(settings, metrics, std::move(http), std::move(sockets))) {}

// A thread that cannot be joined ends the program: it uses what would be destroyed.
// NOLINTNEXTLINE(bugprone-exception-escape)
Server::~Server() { stop(); }

void Server::start() {
  const ServerSettings& settings = impl_->context->settings;
  const std::string where = settings.address + ":" + std::to_string(settings.port);
  impl_->port = settings.port;
  try {
    if (settings.address == "localhost") {
      impl_->listen({asio::ip::address_v4::loopback(), impl_->port});
      try {
        impl_->listen({asio::ip::address_v6::loopback(), impl_->port});
      } catch (const boost::system::system_error& error) {
        // A machine without IPv6 is fine, but not a port that another program listens on there.
        if (error.code() == asio::error::address_in_use) throw;
      }
    } else {
      boost::system::error_code wrong;
      const auto address = asio::ip::make_address(settings.address, wrong);
      if (wrong) {
        throw ListenError("cannot listen on " + where + ": \"" + settings.address +
                          "\" is not an IP address or \"localhost\"");
      }
      impl_->listen({address, impl_->port});
    }
  } catch (const boost::system::system_error& error) {
    if (error.code() == asio::error::address_in_use) {
      throw ListenError("cannot listen on " + where +
                        ": the port is in use by another program; choose another with --port");
    }
    throw ListenError("cannot listen on " + where + ": " + error.code().message());
  }
  for (const auto& listener : impl_->listeners) impl_->accept(listener);
  for (int i = 0; i < settings.threads; ++i) {
    impl_->threads.emplace_back([impl = impl_.get()] { impl->run(); });
  }
}

std::uint16_t Server::port() const { return impl_->port; }

std::size_t Server::connections() const { return impl_->context->gate->count(); }

void Server::post(std::function<void()> work) { asio::post(impl_->io, std::move(work)); }

void Server::after(Clock::duration wait, std::function<void()> work) {
  auto timer = std::make_shared<asio::steady_timer>(impl_->io, wait);
  timer->async_wait([timer, work = std::move(work)](boost::system::error_code cancelled) {
    if (!cancelled) work();
  });
}

void Server::every(std::chrono::milliseconds period, std::function<void()> work) {
  impl_->repeat(std::make_shared<asio::steady_timer>(impl_->io), period, std::move(work));
}

void Server::stop(std::chrono::milliseconds grace) {
  if (impl_->stopping.exchange(true)) return;
  for (const auto& listener : impl_->listeners) {
    asio::post(listener->acceptor.get_executor(), [listener] {
      boost::system::error_code ignored;
      listener->acceptor.close(ignored);
      listener->retry.cancel();
    });
  }
  for (const auto& session : impl_->context->live_sessions()) session->stop();
  const auto deadline = Clock::now() + grace;
  while (Clock::now() < deadline && connections() > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  impl_->io.stop();
  for (std::thread& thread : impl_->threads) thread.join();
  impl_->threads.clear();
}

}  // namespace promenade::net
