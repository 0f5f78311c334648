#include "load/viewer.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <utility>

#include "load/glance.h"

namespace promenade::load {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
namespace {

constexpr std::size_t kSip = 1024;  // bytes that a slow viewer reads at a time
constexpr auto kBack = std::chrono::seconds(1);

double seconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

std::chrono::steady_clock::duration duration(double s) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(s));
}

}  // namespace

beast::error_code bind_source(tcp::socket& socket, const Shared& shared, int number) {
  beast::error_code error;
  if (shared.plan.sources <= 1) return error;
  socket.open(tcp::v4(), error);
  const auto one = asio::ip::address_v4::loopback().to_uint();
  const auto own = static_cast<std::uint32_t>(number % shared.plan.sources);
  if (!error) socket.bind({asio::ip::address_v4(one + own), 0}, error);
  return error;
}

Viewer::Viewer(Shared& shared, int number, Reads reads, KindFigures& figures)
    : shared_(shared),
      number_(number),
      reads_(reads),
      figures_(figures),
      pause_(shared.io),
      ping_(shared.io),
      stay_(shared.io) {}

void Viewer::start() {
  if (shared_.ending) return;
  stream_ = std::make_unique<Stream>(shared_.io);
  seq_ = 0;
  writing_ = false;
  auto& lowest = beast::get_lowest_layer(*stream_);
  if (const auto error = bind_source(lowest.socket(), shared_, number_)) {
    return ended("cannot use its address: " + error.message());
  }
  lowest.expires_after(std::chrono::seconds(20));
  lowest.async_connect(shared_.server, [self = shared_from_this()](beast::error_code error) {
    if (error) return self->ended("connect: " + error.message());
    auto& socket = beast::get_lowest_layer(*self->stream_).socket();
    beast::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    if (self->reads_ != Reads::kAll) {
      // Bytes that the kernel takes in for a client count as read by it, so the buffer is small.
      socket.set_option(asio::socket_base::receive_buffer_size(4096), ignored);
    }
    self->stream_->set_option(
        websocket::stream_base::decorator([](websocket::request_type& request) {
          request.set(beast::http::field::sec_websocket_protocol, "promenade.v1");
        }));
    const std::string host =
        self->shared_.plan.host + ":" + std::to_string(self->shared_.plan.port);
    self->stream_->async_handshake(self->response_, host, "/ws",
                                   [self](beast::error_code failed) { self->joined(failed); });
  });
}

void Viewer::joined(beast::error_code error) {
  if (error == websocket::error::upgrade_declined) {
    return ended("HTTP " + std::to_string(response_.result_int()));
  }
  if (error) return ended("handshake: " + error.message());
  beast::get_lowest_layer(*stream_).expires_never();
  stream_->binary(true);
  stream_->read_message_max(64 << 20);
  connected_ = true;
  ++figures_.connected;
  v1::ClientMessage message;
  v1::Join* join = message.mutable_join();
  join->set_room(shared_.plan.room);
  join->set_token(shared_.plan.token);
  join->set_client("promenade load");
  join->set_rate_hz(shared_.plan.rate_hz);
  send(message);
  if (reads_ == Reads::kNothing) return;
  if (reads_ == Reads::kAll) ping();
  if (shared_.plan.stay_s > 0 && reads_ == Reads::kAll) {
    stay_.expires_after(duration(shared_.plan.stay_s));
    stay_.async_wait([self = shared_from_this()](beast::error_code cancelled) {
      if (!cancelled) self->ended(kLeftByItself);
    });
  }
  read();
}

void Viewer::send(const v1::ClientMessage& content) {
  if (writing_) return;  // only pings can come too early: the next one is on time
  v1::ClientMessage message = content;
  message.set_seq(++seq_);
  outgoing_ = message.SerializeAsString();
  writing_ = true;
  stream_->async_write(asio::buffer(outgoing_),
                       [self = shared_from_this()](beast::error_code, std::size_t) {
                         self->writing_ = false;  // an error shows where the viewer reads
                       });
}

void Viewer::ping() {
  // Several soon, so that one of them is fast; then now and then.
  ping_.expires_after(std::chrono::milliseconds(seq_ < 6 ? 100 : 5000));
  ping_.async_wait([self = shared_from_this()](beast::error_code cancelled) {
    if (cancelled || !self->connected_) return;
    v1::ClientMessage message;
    message.mutable_ping();
    self->pinged_at_ = Clock::now();
    self->send(message);
    self->ping();
  });
}

void Viewer::read() {
  const auto done = [self = shared_from_this()](beast::error_code error, std::size_t size) {
    self->on_read(error, size);
  };
  if (reads_ == Reads::kSlowly) {
    stream_->async_read_some(incoming_, kSip, done);
  } else {
    stream_->async_read(incoming_, done);
  }
}

void Viewer::on_read(beast::error_code error, std::size_t size) {
  if (!connected_) return;
  if (error == websocket::error::closed) {
    const auto& reason = stream_->reason();
    const std::string why(reason.reason.data(), reason.reason.size());
    return ended("closed " + std::to_string(reason.code) + (why.empty() ? "" : " (" + why + ")"));
  }
  if (error) return ended(error.message());
  if (shared_.measuring) figures_.bytes += size;
  if (stream_->is_message_done()) {
    const auto data = incoming_.cdata();
    take({static_cast<const char*>(data.data()), data.size()});
    incoming_.consume(incoming_.size());
  }
  if (reads_ != Reads::kSlowly) return read();
  // Reads that were late are made up for, but not those of a second and more ago.
  read_due_ = std::max(read_due_, Clock::now() - kBack) +
              duration(double(size) / shared_.plan.slow_bytes_per_s);
  pause_.expires_at(read_due_);
  pause_.async_wait([self = shared_from_this()](beast::error_code cancelled) {
    if (!cancelled && self->connected_) self->read();
  });
}

void Viewer::take(std::string_view bytes) {
  if (const auto frame = glance_at_frame(bytes)) {
    return take_frame(frame->server_time_us, frame->dropped);
  }
  v1::ServerMessage message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return ended("received something that is not a message");
  }
  if (message.has_pong()) {
    const auto now = Clock::now();
    const double took = seconds(now - pinged_at_);
    if (took < fastest_ping_s_) {
      fastest_ping_s_ = took;
      offset_s_ = 1e-6 * double(message.pong().server_time_us()) -
                  (seconds(now.time_since_epoch()) - took / 2);
    }
  }
}

void Viewer::take_frame(std::uint64_t server_time_us, std::uint64_t dropped) {
  const auto now = Clock::now();
  if (shared_.measuring) {
    ++figures_.frames;
    figures_.dropped += dropped > dropped_ ? dropped - dropped_ : 0;
    const double made = 1e-6 * double(server_time_us) - offset_s_;
    figures_.delay_ms.add(std::max(0.0, 1e3 * (seconds(now.time_since_epoch()) - made)));
    if (frames_ > 0) figures_.gap_ms.add(1e3 * seconds(now - frame_at_));
    ++frames_;
    frame_at_ = now;
  }
  dropped_ = dropped;
}

void Viewer::ended(const std::string& why) {
  if (shared_.ending) return;
  ++figures_.ends[why];
  if (std::exchange(connected_, false)) --figures_.connected;
  if (shared_.measuring) {
    figures_.least_connected = std::min(figures_.least_connected, figures_.connected);
  }
  ping_.cancel();
  stay_.cancel();
  beast::get_lowest_layer(*stream_).close();
  incoming_.consume(incoming_.size());
  dropped_ = 0;
  pause_.expires_after(kBack);
  pause_.async_wait([self = shared_from_this()](beast::error_code cancelled) {
    if (!cancelled) self->start();
  });
}

void Viewer::stop(double measured_s) {
  figures_.frames_per_s.push_back(double(frames_) / measured_s);
  connected_ = false;
  ping_.cancel();
  stay_.cancel();
  pause_.cancel();
  if (stream_) beast::get_lowest_layer(*stream_).close();
}

}  // namespace promenade::load
