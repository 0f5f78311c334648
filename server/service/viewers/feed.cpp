#include "service/viewers/feed.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "api/replies.h"
#include "math/thread_clock.h"
#include "stream/details.h"
#include "stream/frame.h"
#include "stream/roster.h"

namespace promenade::service {

bool Feed::publish(std::shared_ptr<const Publication> publication, net::Clock::time_point now) {
  // Network threads may hand over two publications in the wrong order.
  const auto age = [](const Publication& one) {
    return std::tuple(one.description()->epoch(), one.description()->version(),
                      one.snapshot().tick);
  };
  if (newest_ && age(*publication) < age(*newest_)) return false;
  newest_ = std::move(publication);
  if (frame_due_ && !may_make_frame(now)) ++put_off_;
  return std::exchange(frame_due_, true);
}

void Feed::tell(net::Bytes event) {
  if (events_.size() == kMaxEvents) {
    events_.pop_front();
    ++events_left_out_;
  }
  events_.push_back(std::move(event));
}

void Feed::tell_act(net::Bytes act) {
  if (acts_.size() == kMaxActs) acts_.pop_front();
  acts_.push_back(std::move(act));
}

void Feed::tell_company(std::shared_ptr<const VisitorsVersion> visitors, net::Bytes attention) {
  // Network threads may hand over two in the wrong order.
  if (visitors && !(visitors_ && visitors_->number() > visitors->number())) {
    visitors_ = std::move(visitors);
  }
  if (attention) attention_ = std::move(attention);
}

void Feed::look(const stream::View& view, bool restart) {
  view_ = view;
  restart_ |= restart;
}

void Feed::look_no_more() {
  view_.reset();
  coded_.reset();
  restart_ = false;
  if (share_ && watched_.empty()) share_->rest();
}

void Feed::give_way(int level) {
  gives_way_ = level;
  if (coded_) coded_->give_way(level);
}

bool Feed::may_make_frame(net::Clock::time_point now) const {
  const bool own = view_ || !watched_.empty();
  return !own || !share_ || share_->may(now);
}

bool Feed::ask(std::span<const std::uint64_t> bodies) {
  if (bodies_.size() + bodies.size() > kMaxBodies) return false;
  for (const std::uint64_t id : bodies) {
    const auto is_it = [id](const AskedBody& waiting) { return waiting.id == id; };
    if (std::any_of(bodies_.begin(), bodies_.end(), is_it)) continue;
    // First where the viewer has the id from: its own roster may be older than the room's.
    auto body = told_ ? told_->find_body(id) : nullptr;
    if (!body && newest_) body = newest_->description()->find_body(id);
    if (!body) body = saved_.find_body(id);
    bodies_.push_back({id, std::move(body)});
  }
  return true;
}

std::optional<net::Outgoing> Feed::next(std::uint64_t dropped, net::Clock::time_point now) {
  if (turn_of_others_) {
    turn_of_others_ = false;
    if (auto message = next_of_others()) return message;
  }
  if (auto message = next_of_room(dropped, now)) return message;
  return next_of_others();
}

net::Outgoing Feed::part_of(Sending& sending) {
  net::Outgoing out;
  out.shared = (*sending.parts)[sending.next++];
  if (!sending.under_way()) sending = {};
  return out;
}

net::Outgoing Feed::begin(Sending& sending, Parts parts) {
  sending = {std::move(parts), 0};
  return part_of(sending);
}

std::optional<net::Outgoing> Feed::next_of_room(std::uint64_t dropped, net::Clock::time_point now) {
  if (of_room_.under_way()) return part_of(of_room_);
  if (!newest_) return std::nullopt;
  // Parts of two messages are never mixed, so what needs several waits for the others' last one.
  const bool mixed = of_others_.under_way();
  const auto& description = newest_->description();
  if (told_scene_ != description->epoch()) {
    if (mixed && description->scene()->size() > 1) return std::nullopt;
    told_scene_ = description->epoch();
    told_.reset();
    told_rest_ = 0;
    watched_.clear();
    return begin(of_room_, description->scene());
  }
  if (told_ != description) {
    Parts parts =
        told_ ? description->roster().change_from(told_->roster()) : description->roster().whole();
    if (mixed && parts->size() > 1) return std::nullopt;
    told_ = description;
    return begin(of_room_, std::move(parts));
  }
  const std::uint64_t tick = newest_->snapshot().tick;
  if (auto rest = newest_->rest(told_rest_)) {
    if (mixed && rest->size() > 1) return std::nullopt;
    told_rest_ = tick;
    return begin(of_room_, std::move(rest));
  }
  if (!frame_due_ || !may_make_frame(now)) return std::nullopt;
  told_rest_ = tick;
  const double start = share_ ? thread_cpu_s() : 0;
  net::Outgoing out = frame(dropped, now);
  if (share_ && (view_ || !watched_.empty())) share_->charge(thread_cpu_s() - start);
  return out;
}

// Whether the next frame is coded; the encoder is ready for it then.
bool Feed::coding(net::Clock::time_point now) {
  if (!view_) return false;
  if (!coded_) {
    // A viewer that turns coding off and on again gets whole frames meanwhile.
    if (!restarts_.take(now)) return false;
    coded_ = std::make_unique<stream::CodedFrameEncoder>();
    coded_->give_way(gives_way_);
    restart_ = false;
  }
  coded_->look(*view_);
  if (restart_ && restarts_.take(now)) {
    coded_->restart();
    restart_ = false;
  }
  return true;
}

net::Outgoing Feed::frame(std::uint64_t dropped, net::Clock::time_point now) {
  frame_due_ = false;
  turn_of_others_ = true;
  net::Outgoing out;
  out.state = true;
  if (coding(now)) {
    // Made only when it is sent: the next one tells what has changed since.
    const world::Snapshot& snapshot = newest_->snapshot();
    out.shared = net::make_bytes(stream::coded_frame(snapshot, newest_->viewers(), dropped,
                                                     coded_->encode(newest_->crowd(), watched_)));
  } else {
    out.shared = newest_->frame();
    out.tail = stream::frame_tail(dropped);
  }
  if (!watched_.empty()) {
    std::string details = stream::encode_details(newest_->snapshot(), watched_);
    if (!details.empty()) out.extra = net::make_bytes(std::move(details));
  }
  return out;
}

std::optional<net::Outgoing> Feed::next_of_others() {
  if (of_others_.under_way()) return part_of(of_others_);
  if (!events_.empty()) {
    net::Outgoing out;
    out.shared = next_event();
    return out;
  }
  if (std::exchange(catalogue_due_, false)) {
    auto newest = saved_.catalogue_version();
    if (newest != told_catalogue_) {
      Parts parts = told_catalogue_ ? newest->change_from(*told_catalogue_) : newest->whole();
      told_catalogue_ = std::move(newest);
      return begin(of_others_, std::move(parts));
    }
  }
  if (auto message = next_of_company()) return message;
  if (bodies_.empty()) return std::nullopt;
  const AskedBody asked = std::move(bodies_.front());
  bodies_.pop_front();
  return begin(of_others_, make_parts(stream::encode_body(asked.id, asked.body.get())));
}

std::optional<net::Outgoing> Feed::next_of_company() {
  if (visitors_ != told_visitors_) {
    Parts parts = told_visitors_ ? visitors_->change_from(*told_visitors_) : visitors_->whole();
    told_visitors_ = visitors_;
    return begin(of_others_, std::move(parts));
  }
  net::Outgoing out;
  if (!acts_.empty()) {
    out.shared = std::move(acts_.front());
    acts_.pop_front();
  } else if (attention_) {
    out.shared = std::exchange(attention_, nullptr);
  } else {
    return std::nullopt;
  }
  return out;
}

net::Bytes Feed::next_event() {
  if (const std::uint64_t count = std::exchange(events_left_out_, 0)) {
    world::RoomEvent event;
    event.tick = newest_ ? newest_->snapshot().tick : 0;
    event.text = std::to_string(count) + " events were left out: this connection is too slow";
    return net::make_bytes(api::encode_event(event));
  }
  net::Bytes event = std::move(events_.front());
  events_.pop_front();
  return event;
}

}  // namespace promenade::service
