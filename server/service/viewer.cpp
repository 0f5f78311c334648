#include "service/viewer.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>

#include "api/decode.h"
#include "api/replies.h"
#include "schema/refusal.h"
#include "service/command_metrics.h"
#include "stream/details.h"
#include "stream/frame.h"
#include "world/command/command_codec.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

std::uint64_t now_us() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(net::Clock::now().time_since_epoch())
          .count());
}

net::Bytes encode(const v1::ServerMessage& message) {
  return net::make_bytes(message.SerializeAsString());
}

}  // namespace

void Viewer::publish(std::shared_ptr<const Publication> publication) {
  if (const auto socket = socket_.lock()) {
    socket->post(
        [self = shared_from_this(), socket = socket.get(), publication = std::move(publication)] {
          self->on_publication(*socket, *publication);
        });
  }
}

void Viewer::send(net::Bytes bytes) {
  if (const auto socket = socket_.lock()) {
    socket->post([socket = socket.get(), bytes = std::move(bytes)] { socket->send(bytes); });
  }
}

void Viewer::on_message(std::string_view bytes) {
  const auto socket = socket_.lock();
  if (!socket) return;
  const api::ClientMessageResult result = api::decode_client_message(bytes);
  if (!result.readable) {
    refuse(*socket, 0, *result.error);
    return socket->close(net::CloseCode::kInvalidData, result.error->message);
  }
  const v1::ClientMessage& message = result.message;
  const std::uint64_t seq = message.seq();
  if (result.error) {
    refuse(*socket, seq, *result.error);
    if (!room_) socket->close(net::CloseCode::kPolicy, "the first message must be a valid join");
    return;
  }
  if (last_seq_ && seq <= *last_seq_) {
    return refuse(
        *socket, seq,
        api::make_error(Code::kInvalid,
                        "seq must grow from message to message: it tells replies apart", "seq",
                        std::to_string(seq), "more than " + std::to_string(*last_seq_)));
  }
  last_seq_ = seq;
  if (!room_ && !message.has_join()) {
    refuse(*socket, seq, api::make_error(Code::kForbidden, "join first", "join"));
    return socket->close(net::CloseCode::kPolicy, "the first message must be a join");
  }
  switch (message.kind_case()) {
    case v1::ClientMessage::kJoin:
      return join(*socket, seq, message.join());
    case v1::ClientMessage::kCommand:
      return command(*socket, seq, message.command());
    case v1::ClientMessage::kPing:
      return ping(*socket, seq, message.ping());
    case v1::ClientMessage::kWatch:
      return watch(*socket, seq, message.watch());
    case v1::ClientMessage::kSetRate:
      return set_rate(*socket, seq, message.set_rate().rate_hz());
    case v1::ClientMessage::KIND_NOT_SET:
      return;  // decode_client_message refuses it
  }
}

void Viewer::on_excess(std::string_view bytes) {
  const auto socket = socket_.lock();
  if (!socket) return;
  v1::ClientMessage message;
  const bool readable = message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  const std::string rate = schema::number(context_.messages_per_second);
  refuse(*socket, readable ? message.seq() : 0,
         api::make_error(Code::kRateLimited, "too many messages; this one was not acted on", "", "",
                         "at most " + rate + " messages a second"));
}

void Viewer::on_oversized(std::size_t limit) {
  const auto socket = socket_.lock();
  if (!socket) return;
  const std::string most = std::to_string(limit) + " bytes";
  refuse(*socket, 0,
         api::make_error(Code::kInvalid, "the message is larger than " + most, "message",
                         "more than " + most, "at most " + most));
}

void Viewer::on_pace() {
  const auto socket = socket_.lock();
  if (!socket || !room_) return;
  const net::Pacer& pacer = socket->pacer();
  v1::ServerMessage message;
  v1::Event* event = message.mutable_event();
  event->set_tick(room_->current()->snapshot().tick);
  event->set_kind(v1::Event::SLOW_VIEWER);
  const std::string asked = schema::number(pacer.asked_hz());
  event->set_text(pacer.level() == 0
                      ? "frames at " + asked + " Hz again"
                      : "this connection does not keep up: frames at " +
                            schema::number(pacer.effective_hz()) + " Hz instead of " + asked);
  socket->send(encode(message));
}

void Viewer::on_closed() {
  if (room_) room_->leave(this);
}

void Viewer::join(net::Socket& socket, std::uint64_t seq, const v1::Join& join) {
  if (room_) {
    return refuse(socket, seq,
                  api::make_error(Code::kInvalid, "you have joined already", "join", room_->id(),
                                  "one join on a connection"));
  }
  const auto role = context_.tokens->role_of(join.token());
  if (!role) {
    refuse(socket, seq,
           api::make_error(Code::kForbidden, "the token is not known here", "join.token", "",
                           "a token of this server, or none"));
    return socket.close(net::CloseCode::kPolicy, "the token is not known");
  }
  RoomHost* const room = context_.rooms->find(join.room());
  if (!room) {
    refuse(socket, seq, context_.rooms->not_found("join.room", join.room()));
    return socket.close(net::CloseCode::kPolicy, "there is no such room");
  }
  room_ = room;
  role_ = *role;
  socket.admit();
  socket.pacer().set_rate(join.rate_hz() == 0 ? api::kDefaultRateHz : join.rate_hz());
  spdlog::info("viewer {} joined {} as {} ({})", socket.remote(), room_->id(),
               api::role_name(role_), schema::in_quotes(join.client()));

  const auto publication = room_->current();
  v1::ServerMessage message;
  v1::Hello* hello = message.mutable_hello();
  hello->set_version(PROMENADE_VERSION);
  hello->set_role(static_cast<v1::Role>(role_));
  hello->set_room(room_->id());
  hello->set_epoch(publication->roster().epoch);
  hello->set_tick_s(room_->tick_seconds());
  hello->set_rate_hz(socket.pacer().asked_hz());
  hello->add_capabilities("details");
  hello->add_capabilities("definitions");
  hello->set_max_message_bytes(context_.max_message_bytes);
  socket.send(encode(message));
  // The newest state is sent at once: a paused room publishes no other.
  room_->join(shared_from_this());
  // The catalogue after joining: if it changes from now on, the viewer is told.
  socket.send(context_.saved->catalogue_bytes());
  on_publication(socket, *publication);
}

void Viewer::command(net::Socket& socket, std::uint64_t seq, const v1::Command& message) {
  auto decoded = api::decode_command(message);
  if (const auto* error = std::get_if<world::CommandError>(&decoded)) {
    count_command(*context_.metrics, "invalid", error);
    return refuse(socket, seq, *error);
  }
  auto& command = std::get<world::Command>(decoded);
  const std::string name = world::command_name(command);
  if (const auto error = api::check_role(role_, command)) {
    count_command(*context_.metrics, name, &*error);
    return refuse(socket, seq, *error);
  }
  if (const auto error = world::resolve(command, *context_.saved)) {
    count_command(*context_.metrics, name, &*error);
    return refuse(socket, seq, *error);
  }
  const bool queued = room_->submit(std::move(command), [self = shared_from_this(), seq,
                                                         name](const world::CommandResult& result) {
    count_command(*self->context_.metrics, name, result.error ? &*result.error : nullptr);
    self->send(net::make_bytes(api::encode_result(seq, result)));
  });
  if (!queued) {
    const auto error = room_->queue_full(name);
    count_command(*context_.metrics, name, &error);
    refuse(socket, seq, error);
  }
}

void Viewer::watch(net::Socket& socket, std::uint64_t seq, const v1::Watch& watch) {
  const auto publication = room_->current();
  std::vector<world::CharacterId> watched;
  for (const std::uint32_t id : watch.characters()) {
    const auto& there = publication->snapshot().characters;
    if (std::none_of(there.begin(), there.end(), [id](const auto& one) { return one.id == id; })) {
      return refuse(socket, seq,
                    api::make_error(Code::kNotFound, "there is no such character",
                                    "watch.characters[" + std::to_string(watched.size()) + "]",
                                    std::to_string(id), "the id of a character in the roster"));
    }
    watched.push_back(id);
  }
  watched_ = std::move(watched);
  ack(socket, seq);
}

void Viewer::ping(net::Socket& socket, std::uint64_t seq, const v1::Ping& ping) {
  v1::ServerMessage message;
  v1::Pong* pong = message.mutable_pong();
  pong->set_seq(seq);
  pong->set_client_time_us(ping.client_time_us());
  pong->set_server_time_us(now_us());
  socket.send(encode(message));
}

void Viewer::set_rate(net::Socket& socket, std::uint64_t seq, double rate_hz) {
  socket.pacer().set_rate(rate_hz);
  ack(socket, seq);
}

void Viewer::ack(net::Socket& socket, std::uint64_t seq) {
  world::CommandResult result;
  result.tick = room_->current()->snapshot().tick;
  socket.send(net::make_bytes(api::encode_result(seq, result)));
}

void Viewer::refuse(net::Socket& socket, std::uint64_t seq, const world::CommandError& error) {
  socket.send(net::make_bytes(api::encode_error(seq, error)));
}

void Viewer::describe(net::Socket& socket, const RosterBytes& roster) {
  if (sent_epoch_ != roster.epoch) {
    socket.send(roster.scene);
    sent_epoch_ = roster.epoch;
    sent_roster_.reset();
    watched_.clear();
  }
  if (sent_roster_ != roster.version) {
    socket.send(roster.roster);
    sent_roster_ = roster.version;
    sent_rest_ = 0;
  }
}

void Viewer::on_publication(net::Socket& socket, const Publication& publication) {
  const net::Pacer::Verdict verdict = socket.pacer().on_state(net::Clock::now());
  // A person who edits a body changes the roster with every move, and rosters that are queued are
  // never dropped. So a roster is sent with the next frame, and not while the viewer still has
  // earlier messages to read.
  constexpr std::size_t kBacklog = 4;
  const RosterBytes& roster = publication.roster();
  const bool told = sent_epoch_ == roster.epoch && sent_roster_ == roster.version;
  const bool wait = sent_roster_ && socket.queued() >= kBacklog;
  if (!told && !wait && (verdict == net::Pacer::Verdict::kSend || !sent_roster_)) {
    describe(socket, roster);
  } else if (!told && verdict == net::Pacer::Verdict::kSend) {
    return socket.count_dropped();  // a frame that could not be read
  }
  switch (verdict) {
    case net::Pacer::Verdict::kNotDue:
      return;
    case net::Pacer::Verdict::kSpared:
      return socket.count_dropped();
    case net::Pacer::Verdict::kSend:
      break;
  }
  std::string rest = stream::encode_rest(publication.snapshot(), sent_rest_);
  if (!rest.empty()) socket.send(net::make_bytes(std::move(rest)));
  sent_rest_ = publication.snapshot().tick;
  net::State state;
  state.shared = publication.frame();
  state.tail = stream::frame_tail(socket.dropped());
  if (!watched_.empty()) {
    std::string details = stream::encode_details(publication.snapshot(), watched_);
    if (!details.empty()) state.extra = net::make_bytes(std::move(details));
  }
  socket.offer(std::move(state));
}

}  // namespace promenade::service
