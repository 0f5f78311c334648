#include "service/viewers/viewer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/decode.h"
#include "api/replies.h"
#include "api/visitor_name.h"
#include "schema/json.h"
#include "schema/refusal.h"
#include "schema/shown_text.h"
#include "stream/quantize.h"
#include "world/command/limits.h"

namespace promenade::service {
namespace {

constexpr double kAhead = 10;  // m, of the point that stands for the middle of a picture

using Code = world::CommandError::Code;

std::uint64_t now_us() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(net::Clock::now().time_since_epoch())
          .count());
}

// A reason that fits a close frame, whole characters of UTF-8.
std::string cut(const std::string& reason) {
  return schema::shortened(api::as_utf8(reason), net::Socket::kMaxReason);
}

// A program's text about itself is shown to others only where it can be: a join is not refused for
// it.
std::string if_shown(const std::string& text) {
  return schema::text_fault(text, text.size()) ? std::string() : text;
}

net::Bytes encode(const v1::ServerMessage& message) {
  return net::make_bytes(message.SerializeAsString());
}

net::Bytes encode(const Making& making) {
  v1::ServerMessage message;
  *message.mutable_making() = making.message();
  return encode(message);
}

}  // namespace

void Viewer::publish(std::shared_ptr<const Publication> publication) {
  if (const auto socket = socket_.lock()) {
    // Half of a room's states are not due for most viewers.
    if (net::Clock::now() < socket->pacer().not_due_until()) return;
    socket->post(
        [self = shared_from_this(), socket = socket.get(), publication = std::move(publication)] {
          self->on_publication(*socket, publication);
        });
  }
}

void Viewer::tell(net::Bytes event) {
  if (const auto socket = socket_.lock()) {
    socket->post([self = shared_from_this(), socket = socket.get(), event = std::move(event)] {
      self->feed_.tell(event);
      socket->wake();
    });
  }
}

void Viewer::catalogue_changed() {
  if (const auto socket = socket_.lock()) {
    socket->post([self = shared_from_this(), socket = socket.get()] {
      self->feed_.catalogue_changed();
      socket->wake();
    });
  }
}

void Viewer::tell_company(const Company::News& news) {
  if (!introduced_) return;
  if (const auto socket = socket_.lock()) {
    socket->post([self = shared_from_this(), socket = socket.get(), news] {
      self->feed_.tell_company(news.visitors, news.attention);
      socket->wake();
    });
  }
}

void Viewer::tell_act(net::Bytes act) {
  if (!introduced_) return;
  if (const auto socket = socket_.lock()) {
    socket->post([self = shared_from_this(), socket = socket.get(), act = std::move(act)] {
      self->feed_.tell_act(act);
      socket->wake();
    });
  }
}

std::optional<net::Outgoing> Viewer::next(net::Socket& socket) {
  if (!room_) return std::nullopt;
  return feed_.next(socket.dropped());
}

void Viewer::send(net::Bytes bytes) {
  if (const auto socket = socket_.lock()) {
    socket->post([socket = socket.get(), bytes = std::move(bytes)] { socket->send(bytes); });
  }
}

void Viewer::send_out(net::CloseCode code, const std::string& reason) {
  if (const auto socket = socket_.lock()) {
    socket->post([socket = socket.get(), code, reason] { socket->close(code, cut(reason)); });
  }
}

void Viewer::set_grant(const api::Grant& grant) {
  if (const auto socket = socket_.lock()) {
    socket->post([self = shared_from_this(), grant] { self->asker_.grant = grant; });
  }
}

void Viewer::on_message(std::string_view bytes) {
  const auto socket = socket_.lock();
  if (!socket) return;
  if (early_) return take_early(*socket, bytes);
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
                        "seq must grow from message to message, as replies are matched by it",
                        "seq", std::to_string(seq), "more than " + std::to_string(*last_seq_)));
  }
  last_seq_ = seq;
  if (!room_ && !message.has_join()) {
    refuse(*socket, seq,
           api::make_error(Code::kForbidden, "join first", "join", "another message",
                           "a join as the first message"));
    return socket->close(net::CloseCode::kPolicy, "the first message must be a join");
  }
  switch (message.kind_case()) {
    case v1::ClientMessage::kJoin:
      return join(*socket, seq, message.join());
    case v1::ClientMessage::kCommand:
      return command(seq, message.command());
    case v1::ClientMessage::kPing:
      return ping(*socket, seq, message.ping());
    case v1::ClientMessage::kWatch:
      return watch(*socket, seq, message.watch());
    case v1::ClientMessage::kSetRate:
      return set_rate(*socket, seq, message.set_rate().rate_hz());
    case v1::ClientMessage::kGetBodies:
      return get_bodies(*socket, seq, message.get_bodies());
    case v1::ClientMessage::kIntroduce:
      return introduce(*socket, seq, message.introduce());
    case v1::ClientMessage::kAttend:
      return attend(*socket, seq, message.attend());
    case v1::ClientMessage::kViewpoint:
      return look(*socket, seq, message.viewpoint());
    case v1::ClientMessage::KIND_NOT_SET:
      return;  // decode_client_message refuses it
  }
}

void Viewer::on_excess(std::string_view bytes, const std::string& allowed) {
  const auto socket = socket_.lock();
  if (!socket) return;
  v1::ClientMessage message;
  const bool readable = message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  refuse(*socket, readable ? message.seq() : 0,
         api::make_error(Code::kRateLimited, "too many messages; this one was not acted on",
                         "message", "one more", allowed));
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
  const bool put_off = feed_.take_put_off() > 0;
  costly_ = pacer.level() > 0 && (put_off || costly_);
  // First the rate falls, then how much each frame tells.
  feed_.give_way(costly_ ? pacer.level() - 1 : 0);
  v1::ServerMessage message;
  v1::Event* event = message.mutable_event();
  event->set_tick(room_->current()->snapshot().tick);
  event->set_kind(v1::Event::SLOW_VIEWER);
  const std::string asked = schema::number(pacer.asked_hz());
  event->set_text(pacer.level() == 0
                      ? "frames at " + asked + " Hz again"
                      : std::string(costly_ ? "frames for your cameras take more than your share "
                                              "of this server: frames at "
                                            : "this connection is too slow: frames at ") +
                            schema::number(pacer.effective_hz()) + " Hz instead of " + asked);
  feed_.tell(encode(message));
  socket->wake();
}

void Viewer::on_closed() {
  waits_ = false;
  early_.reset();
  if (!room_) return;
  room_->leave(this);
  room_->company().leave(asker_.visitor);
  context_.api->people.leave(asker_, *room_, this);
}

void Viewer::join(net::Socket& socket, std::uint64_t seq, const v1::Join& join) {
  if (room_) {
    return refuse(socket, seq,
                  api::make_error(Code::kInvalid, "this connection has already joined a room",
                                  "join", room_->id(), "one join per connection"));
  }
  const auto reject = [&](const world::CommandError& error) {
    refuse(socket, seq, error);
    const bool out =
        (error.code == Code::kForbidden && error.field == "join.room") || Bans::is_of_a_ban(error);
    socket.close(out ? net::CloseCode::kSentOut : net::CloseCode::kPolicy, cut(error.message));
  };
  const Door::Claim claim{.token = join.token(),
                          .visitor_key = join.visitor_key(),
                          .name = if_shown(join.name()),
                          .client = if_shown(join.client()),
                          .address = socket.remote(),
                          .known_host = socket.known_host()};
  const auto wait = context_.api->door.wait(claim);
  if (wait > net::Clock::duration{} && !waited_) {
    waited_ = true;
    return socket.hold(wait, [self = shared_from_this(), socket = &socket, seq, join] {
      self->join(*socket, seq, join);
    });
  }
  const auto room = context_.api->rooms.find(join.room());
  const auto making = room ? std::nullopt : context_.api->rooms.making(join.room());
  if (!room && !making) return reject(context_.api->rooms.not_found("join.room", join.room()));
  const std::string visitor_key =
      join.visitor_key().empty() ? api::random_hex(16) : join.visitor_key();
  auto asker = context_.api->door.admit({.token = claim.token,
                                         .visitor_key = visitor_key,
                                         .name = claim.name,
                                         .client = claim.client,
                                         .address = claim.address,
                                         .known_host = claim.known_host});
  if (auto* error = std::get_if<world::CommandError>(&asker)) {
    error->field = "join." + error->field;
    return reject(*error);
  }
  if (making) {
    early_ = {seq, join, {}};
    early_->join.set_visitor_key(visitor_key);  // the visitor that used an invitation
    waits_ = true;
    return wait_for_room(socket, *making);
  }
  asker_ = std::get<Asker>(std::move(asker));
  if (const auto error = context_.api->people.enter(asker_, *room, shared_from_this())) {
    return reject(*error);
  }
  room_ = room;
  socket.admit();
  feed_.charge_to(context_.encoding->share_of(asker_.payer(), net::Clock::now()));
  socket.pacer().set_rate(join.rate_hz() == 0 ? api::kDefaultRateHz : join.rate_hz());
  context_.log->note("join",
                     {{"visitor", asker_.visitor},
                      {"name", asker_.name},
                      {"address", socket.remote()},
                      {"room", room_->id()},
                      {"role", api::role_name(context_.api->people.role_in(asker_.grant, *room_))},
                      {"client", join.client()}});
  const auto publication = room_->current();
  greet(socket, *publication, visitor_key);
  room_->company().enter(asker_.visitor, join.name());
  room_->join(shared_from_this());
  if (context_.api->rooms.find(room_->id()) != room_) {  // it was closed just now
    return socket.close(net::CloseCode::kRoomClosed, "the room has been closed");
  }
  // The newest state is sent at once: a paused room publishes no other.
  socket.pacer().on_state(net::Clock::now());
  feed_.publish(publication);
  socket.wake();
}

void Viewer::wait_for_room(net::Socket& socket, const Making& making) {
  socket.admit();
  socket.send(encode(making));
  context_.api->rooms.wait([self = weak_from_this()] {
    const auto viewer = self.lock();
    return viewer && viewer->look_again();
  });
}

bool Viewer::look_again() {
  const auto socket = socket_.lock();
  if (!socket || !waits_) return false;
  socket->post([self = shared_from_this(), socket = socket.get()] { self->join_if_made(*socket); });
  return true;
}

void Viewer::join_if_made(net::Socket& socket) {
  if (!early_) return;
  if (const auto making = context_.api->rooms.making(early_->join.room())) {
    return socket.send(encode(*making));
  }
  waits_ = false;
  waited_ = true;
  const EarlyJoin early = *std::exchange(early_, std::nullopt);
  join(socket, early.seq, early.join);
  for (const std::string& bytes : early.behind) {
    if (room_) on_message(bytes);
  }
}

void Viewer::take_early(net::Socket& socket, std::string_view bytes) {
  constexpr std::size_t kMostBehind = 32;  // a client that has joined need not wait for Hello
  const api::ClientMessageResult result = api::decode_client_message(bytes);
  if (result.readable && !result.error && result.message.has_ping()) {
    return ping(socket, result.message.seq(), result.message.ping());
  }
  if (early_->behind.size() < kMostBehind) {
    early_->behind.emplace_back(bytes);
  } else {
    socket.close(net::CloseCode::kPolicy, "too many messages before the room was made");
  }
}

void Viewer::greet(net::Socket& socket, const Publication& publication,
                   const std::string& visitor_key) {
  v1::ServerMessage message;
  v1::Hello* hello = message.mutable_hello();
  hello->set_version(PROMENADE_VERSION);
  hello->set_role(api::role_message(context_.api->people.role_in(asker_.grant, *room_)));
  hello->set_room(room_->id());
  hello->set_epoch(publication.description()->epoch());
  hello->set_tick_s(room_->tick_seconds());
  hello->set_rate_hz(socket.pacer().asked_hz());
  hello->add_capabilities("details");
  hello->add_capabilities("definitions");
  hello->add_capabilities("bodies");
  hello->add_capabilities("changes");
  hello->add_capabilities("merging");
  hello->add_capabilities("company");
  hello->add_capabilities("coded-2");
  hello->set_max_message_bytes(context_.max_message_bytes);
  *hello->mutable_rights() = context_.api->people.rights(asker_, *room_);
  hello->set_visitor_key(visitor_key);
  socket.send(encode(message));
}

void Viewer::command(std::uint64_t seq, const v1::Command& message) {
  // A right taken back since the last command counts at once; People tells of it soon.
  context_.api->door.renew(asker_.grant, tokens_seen_);
  context_.api->gate.give(asker_, room_, api::decode_command(message),
                          [self = shared_from_this(), seq](const world::CommandResult& result) {
                            self->send(net::make_bytes(api::encode_result(seq, result)));
                          });
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
  {
    const std::lock_guard lock(view_mutex_);
    watched_ = watched;
  }
  feed_.watch(std::move(watched));
  ack(socket, seq);
}

void Viewer::get_bodies(net::Socket& socket, std::uint64_t seq, const v1::GetBodies& wanted) {
  const auto& ids = wanted.body();
  if (!feed_.ask({ids.data(), static_cast<std::size_t>(ids.size())})) {
    return refuse(
        socket, seq,
        api::make_error(Code::kBusy, "too many bodies are waiting to be sent", "get_bodies.body",
                        std::to_string(ids.size()) + " ids, with " +
                            std::to_string(feed_.bodies_waiting()) + " waiting already",
                        "at most " + std::to_string(Feed::kMaxBodies) +
                            " waiting; ask again once some have arrived"));
  }
  socket.wake();
}

void Viewer::introduce(net::Socket& socket, std::uint64_t seq, const v1::Introduce& introduction) {
  if (!introductions_.take(net::Clock::now())) {
    return refuse(socket, seq,
                  world::refuse(Code::kRateLimited, "introduce", "one more",
                                "one in two seconds, five at once"));
  }
  Company& company = room_->company();
  // A visitor who has chosen no name goes by that of their token, if it has one.
  const std::string& chosen = introduction.name();
  const std::string& given = asker_.grant.name;
  const bool by_token = chosen.empty() && !api::check_visitor_name("name", given);
  asker_.name = company.rename(asker_.visitor, by_token ? given : chosen);
  context_.api->people.rename(asker_, *room_);
  if (!introduced_.exchange(true)) {
    feed_.tell_company(company.last_told(), company.last_attention());
    const auto clock = room_->current()->snapshot().paused ? company.last_of_clock() : nullptr;
    if (clock) feed_.tell_act(clock);
  }
  ack(socket, seq);
  socket.wake();
}

void Viewer::attend(net::Socket& socket, std::uint64_t seq, const v1::Attend& attend) {
  const auto now = net::Clock::now();
  if (!attentions_.take(now)) {
    return refuse(
        socket, seq,
        world::refuse(Code::kRateLimited, "attend", "one more", "20 a second, 40 at once"));
  }
  const auto publication = room_->current();
  const world::Snapshot& snapshot = publication->snapshot();
  Company::Attending attending;
  for (const std::uint32_t id : attend.selected()) {
    if (!world::has_id(snapshot.characters, id) && !world::has_id(snapshot.things, id)) {
      return refuse(socket, seq,
                    api::make_error(Code::kNotFound, "there is no such character or thing",
                                    schema::indexed("attend.selected", attending.selected.size()),
                                    std::to_string(id), "ids in the roster"));
    }
    attending.selected.push_back(id);
  }
  for (const float part : attend.pointer_m()) {
    attending.pointer.push_back(stream::quantize(part, stream::kPositionUnit));
  }
  room_->company().attend(asker_.visitor, std::move(attending), now);
}

std::optional<world::View> Viewer::view() const {
  const std::lock_guard lock(view_mutex_);
  return view_;
}

void Viewer::add_to(world::Onlookers& onlookers) const {
  const std::lock_guard lock(view_mutex_);
  if (eye_) {
    onlookers.eyes.push_back(*eye_);
  } else {
    onlookers.all = true;
  }
  onlookers.chosen.insert(onlookers.chosen.end(), watched_.begin(), watched_.end());
}

void Viewer::look(net::Socket& socket, std::uint64_t seq, const v1::Viewpoint& viewpoint) {
  if (!viewpoints_.take(net::Clock::now())) {
    return refuse(
        socket, seq,
        world::refuse(Code::kRateLimited, "viewpoint", "one more", "30 a second, 60 at once"));
  }
  std::optional<world::View> seen;
  if (!viewpoint.eye_m().empty()) {
    const auto within = [](const Vec3& p) {
      return Vec3(p.cwiseMax(-world::kMaxCoordinate).cwiseMin(world::kMaxCoordinate));
    };
    const auto& e = viewpoint.eye_m();
    const auto& f = viewpoint.forward();
    const Vec3 eye(e[0], e[1], e[2]), forward(f[0], f[1], f[2]);
    seen = world::View{within(eye), within(eye + kAhead * forward.normalized())};
  }
  {
    const std::lock_guard lock(view_mutex_);
    view_ = seen;
    eye_.reset();
  }
  if (viewpoint.eye_m().empty()) return feed_.look_no_more();
  const auto vector = [](const auto& parts) { return Vec3(parts[0], parts[1], parts[2]); };
  stream::View view;
  view.eye = vector(viewpoint.eye_m());
  view.forward = vector(viewpoint.forward()).normalized();
  view.height_rad = viewpoint.height_rad();
  view.aspect = viewpoint.aspect();
  {
    const std::lock_guard lock(view_mutex_);
    eye_ = stream::eye_of(view);
  }
  feed_.look(view, viewpoint.key());
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

void Viewer::on_publication(net::Socket& socket, std::shared_ptr<const Publication> publication) {
  switch (socket.pacer().on_state(net::Clock::now())) {
    case net::Pacer::Verdict::kNotDue:
      return;
    case net::Pacer::Verdict::kSpared:
      return socket.count_dropped();
    case net::Pacer::Verdict::kSend:
      break;
  }
  if (feed_.publish(std::move(publication))) {
    socket.pacer().on_miss();
    socket.count_dropped();
  }
  socket.wake();
}

}  // namespace promenade::service
