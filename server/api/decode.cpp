#include "api/decode.h"

#include <google/protobuf/unknown_field_set.h>

#include <cmath>
#include <optional>
#include <string>

#include "api/visitor_name.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "world/command/command_codec.h"

namespace promenade::api {
namespace {

using world::CommandError;

CommandError invalid(std::string field, std::string value, std::string allowed) {
  return world::refuse(CommandError::Code::kInvalid, std::move(field), std::move(value),
                       std::move(allowed));
}

std::optional<CommandError> check_rate(const char* field, double rate, bool zero_is_default) {
  if (zero_is_default && rate == 0) return std::nullopt;
  if (std::isfinite(rate) && rate >= kMinRateHz && rate <= kMaxRateHz) return std::nullopt;
  return invalid(
      field, schema::number(rate),
      schema::range_text(kMinRateHz, kMaxRateHz, "Hz") + (zero_is_default ? ", or 0 for 30" : ""));
}

std::optional<CommandError> check_length(const char* field, const std::string& text,
                                         std::size_t most) {
  if (text.size() <= most) return std::nullopt;
  return invalid(field, std::to_string(text.size()) + " bytes",
                 "at most " + std::to_string(most) + " bytes");
}

// Unknown fields of a message itself; commands check their own.
std::optional<CommandError> check_known(const google::protobuf::Message& message,
                                        const std::string& path) {
  const auto& unknown = message.GetReflection()->GetUnknownFields(message);
  if (unknown.empty()) return std::nullopt;
  return invalid((path.empty() ? "" : path + ".") + std::to_string(unknown.field(0).number()),
                 "an unknown field number",
                 "the fields of " + std::string(message.GetDescriptor()->name()));
}

std::optional<CommandError> check_attend(const v1::Attend& attend) {
  if (attend.selected_size() > kMaxAttended) {
    return invalid("attend.selected", std::to_string(attend.selected_size()) + " ids",
                   "at most " + std::to_string(kMaxAttended));
  }
  if (const int parts = attend.pointer_m_size(); parts != 0 && parts != 3) {
    return invalid("attend.pointer_m", std::to_string(parts) + " numbers", "3, or none");
  }
  for (int i = 0; i < attend.pointer_m_size(); ++i) {
    const double part = attend.pointer_m(i);
    if (std::isfinite(part) && std::abs(part) <= kMaxPointer) continue;
    return invalid(schema::indexed("attend.pointer_m", static_cast<std::size_t>(i)),
                   schema::number(part), schema::range_text(-kMaxPointer, kMaxPointer, "m"));
  }
  return std::nullopt;
}

std::optional<CommandError> check_number(const std::string& field, double value, double least,
                                         double most, const char* unit) {
  if (std::isfinite(value) && value >= least && value <= most) return std::nullopt;
  return invalid(field, schema::number(value), schema::range_text(least, most, unit));
}

std::optional<CommandError> check_viewpoint(const v1::Viewpoint& viewpoint) {
  if (viewpoint.eye_m().empty() && viewpoint.forward().empty()) return std::nullopt;
  if (const int parts = viewpoint.eye_m_size(); parts != 3) {
    return invalid("viewpoint.eye_m", std::to_string(parts) + " numbers", "3, or none");
  }
  if (const int parts = viewpoint.forward_size(); parts != 3) {
    return invalid("viewpoint.forward", std::to_string(parts) + " numbers", "3");
  }
  double square = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<int>(i);
    if (auto error = check_number(schema::indexed("viewpoint.eye_m", i), viewpoint.eye_m(k),
                                  -kMaxEye, kMaxEye, "m")) {
      return error;
    }
    if (auto error = check_number(schema::indexed("viewpoint.forward", i), viewpoint.forward(k),
                                  -kMaxEye, kMaxEye, "")) {
      return error;
    }
    square += double{viewpoint.forward(k)} * viewpoint.forward(k);
  }
  if (square < 1e-12) return invalid("viewpoint.forward", "no direction", "a length above 0");
  if (auto error = check_number("viewpoint.height_rad", viewpoint.height_rad(), kMinViewRad,
                                kMaxViewRad, "rad")) {
    return error;
  }
  return check_number("viewpoint.aspect", viewpoint.aspect(), kMinAspect, kMaxAspect, "");
}

std::optional<CommandError> check(const v1::ClientMessage& message) {
  if (auto error = check_known(message, "")) return error;
  switch (message.kind_case()) {
    case v1::ClientMessage::kJoin: {
      const v1::Join& join = message.join();
      if (auto error = check_known(join, "join")) return error;
      if (auto error = check_length("join.room", join.room(), kMaxRoomLength)) return error;
      if (auto error = check_length("join.token", join.token(), kMaxTokenLength)) return error;
      if (auto error = check_length("join.client", join.client(), kMaxClientLength)) return error;
      if (auto error = check_length("join.visitor_key", join.visitor_key(), kMaxVisitorKeyLength)) {
        return error;
      }
      if (auto error = check_length("join.name", join.name(), kMaxVisitorNameLength)) return error;
      return check_rate("join.rate_hz", join.rate_hz(), true);
    }
    case v1::ClientMessage::kPing:
      return check_known(message.ping(), "ping");
    case v1::ClientMessage::kWatch:
      if (auto error = check_known(message.watch(), "watch")) return error;
      if (message.watch().characters_size() > kMaxWatched) {
        return invalid("watch.characters",
                       std::to_string(message.watch().characters_size()) + " characters",
                       "at most " + std::to_string(kMaxWatched));
      }
      return std::nullopt;
    case v1::ClientMessage::kSetRate:
      if (auto error = check_known(message.set_rate(), "set_rate")) return error;
      return check_rate("set_rate.rate_hz", message.set_rate().rate_hz(), false);
    case v1::ClientMessage::kGetBodies:
      if (auto error = check_known(message.get_bodies(), "get_bodies")) return error;
      if (const int ids = message.get_bodies().body_size(); ids < 1 || ids > kMaxBodiesAsked) {
        return invalid("get_bodies.body", std::to_string(ids) + " ids",
                       "1 to " + std::to_string(kMaxBodiesAsked));
      }
      return std::nullopt;
    case v1::ClientMessage::kIntroduce:
      if (auto error = check_known(message.introduce(), "introduce")) return error;
      return check_visitor_name("introduce.name", message.introduce().name());
    case v1::ClientMessage::kAttend:
      if (auto error = check_known(message.attend(), "attend")) return error;
      return check_attend(message.attend());
    case v1::ClientMessage::kViewpoint:
      if (auto error = check_known(message.viewpoint(), "viewpoint")) return error;
      return check_viewpoint(message.viewpoint());
    case v1::ClientMessage::kCommand:
      return std::nullopt;
    case v1::ClientMessage::KIND_NOT_SET:
      break;
  }
  return invalid(
      "kind", "nothing",
      "one of join, command, ping, watch, set_rate, get_bodies, introduce, attend, viewpoint");
}

}  // namespace

ClientMessageResult decode_client_message(std::string_view bytes) {
  ClientMessageResult result;
  result.readable = result.message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  if (!result.readable) {
    result.error = invalid("message", std::to_string(bytes.size()) + " bytes that are not protobuf",
                           "one promenade.v1.ClientMessage");
    result.error->message = "the message is not a complete promenade.v1.ClientMessage";
    return result;
  }
  result.error = check(result.message);
  return result;
}

std::variant<world::Command, CommandError> decode_command(const v1::Command& command) {
  return world::command_from_proto(command);
}

CommandError request_error(const schema::FileError& wrong) {
  CommandError error =
      invalid(wrong.key.empty() ? "request body" : wrong.key, wrong.value, wrong.allowed);
  error.message = wrong.text();
  return error;
}

std::variant<world::Command, CommandError> decode_command_json(std::string_view text) {
  v1::Command command;
  if (const auto wrong = schema::message_from_json(text, &command)) return request_error(*wrong);
  return decode_command(command);
}

}  // namespace promenade::api
