#include "stream/visitors.h"

namespace promenade::stream {
namespace {

bool same(const v1::VisitorEntry& a, const v1::VisitorEntry& b) {
  return a.visitor() == b.visitor() && a.name() == b.name() && a.color() == b.color();
}

}  // namespace

std::string encode_visitors(const v1::Visitors& visitors) {
  v1::ServerMessage message;
  *message.mutable_visitors() = visitors;
  return message.SerializeAsString();
}

std::string encode_visitors_change(const v1::Visitors& before, const v1::Visitors& after) {
  v1::ServerMessage message;
  v1::VisitorsChange* out = message.mutable_visitors_change();
  out->set_from_version(before.version());
  out->set_version(after.version());
  auto old = before.visitors().begin();
  const auto end = before.visitors().end();
  for (const v1::VisitorEntry& entry : after.visitors()) {
    for (; old != end && old->number() < entry.number(); ++old) out->add_removed(old->number());
    const bool there = old != end && old->number() == entry.number();
    if (!there || !same(*old, entry)) *out->add_visitors() = entry;
    if (there) ++old;
  }
  for (; old != end; ++old) out->add_removed(old->number());
  return message.SerializeAsString();
}

std::string encode_attention(const v1::Attention& attention) {
  v1::ServerMessage message;
  *message.mutable_attention() = attention;
  return message.SerializeAsString();
}

std::string encode_act(const v1::Act& act) {
  v1::ServerMessage message;
  *message.mutable_act() = act;
  return message.SerializeAsString();
}

}  // namespace promenade::stream
