#include "api/replies.h"

namespace promenade::api {
namespace {

using Code = world::CommandError::Code;

v1::ErrorCode code_of(Code code) {
  switch (code) {
    case Code::kInvalid:
      return v1::INVALID;
    case Code::kNotFound:
      return v1::NOT_FOUND;
    case Code::kForbidden:
      return v1::FORBIDDEN;
    case Code::kRateLimited:
      return v1::RATE_LIMITED;
    case Code::kBusy:
      return v1::BUSY;
    case Code::kUnsupported:
      return v1::UNSUPPORTED;
    case Code::kInternal:
      return v1::INTERNAL;
    case Code::kConflict:
      return v1::CONFLICT;
  }
  return v1::INTERNAL;
}

v1::Event::Kind kind_of(world::RoomEvent::Kind kind) {
  using Kind = world::RoomEvent::Kind;
  switch (kind) {
    case Kind::kFell:
      return v1::Event::FELL;
    case Kind::kGotUp:
      return v1::Event::GOT_UP;
    case Kind::kQuarantined:
      return v1::Event::QUARANTINED;
    case Kind::kArrived:
      return v1::Event::ARRIVED;
    case Kind::kTaskDone:
      return v1::Event::TASK_DONE;
    case Kind::kTaskFailed:
      return v1::Event::TASK_FAILED;
    case Kind::kSharedTasksDone:
      return v1::Event::SHARED_TASKS_DONE;
    case Kind::kLeft:
    case Kind::kRemoved:
    case Kind::kNotice:
      return v1::Event::NOTICE;
  }
  return v1::Event::NOTICE;
}

}  // namespace

std::string as_utf8(const std::string& text) {
  std::string valid;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80                   ? 1
                               : byte >= 0xc2 && byte < 0xe0 ? 2
                               : byte >= 0xe0 && byte < 0xf0 ? 3
                               : byte >= 0xf0 && byte < 0xf5 ? 4
                                                             : 0;
    bool whole = length > 0 && i + length <= text.size();
    for (std::size_t k = 1; whole && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      // The second byte's range excludes overlong forms, surrogates and what lies above U+10FFFF.
      const unsigned low = k == 1 && byte == 0xe0 ? 0xa0 : k == 1 && byte == 0xf0 ? 0x90 : 0x80;
      const unsigned high = k == 1 && byte == 0xed ? 0x9f : k == 1 && byte == 0xf4 ? 0x8f : 0xbf;
      whole = next >= low && next <= high;
    }
    if (whole) {
      valid.append(text, i, length);
      i += length;
    } else {
      valid += '?';
      ++i;
    }
  }
  return valid;
}

v1::Error error_message(std::uint64_t seq, const world::CommandError& error) {
  v1::Error message;
  message.set_seq(seq);
  message.set_code(code_of(error.code));
  message.set_field(as_utf8(error.field));
  message.set_value(as_utf8(error.value));
  message.set_allowed(as_utf8(error.allowed));
  message.set_message(as_utf8(error.message));
  return message;
}

v1::Ack ack_message(std::uint64_t seq, const world::CommandResult& result) {
  v1::Ack message;
  message.set_seq(seq);
  message.set_tick(result.tick);
  message.set_character(result.character);
  message.set_tie(result.tie);
  message.set_before(result.before);
  message.set_after(result.after);
  return message;
}

v1::Event event_message(const world::RoomEvent& event) {
  v1::Event message;
  message.set_tick(event.tick);
  message.set_character(event.character);
  message.set_kind(kind_of(event.kind));
  message.set_text(event.text);
  return message;
}

std::string encode_result(std::uint64_t seq, const world::CommandResult& result) {
  if (result.error) return encode_error(seq, *result.error);
  v1::ServerMessage message;
  *message.mutable_ack() = ack_message(seq, result);
  return message.SerializeAsString();
}

std::string encode_error(std::uint64_t seq, const world::CommandError& error) {
  v1::ServerMessage message;
  *message.mutable_error() = error_message(seq, error);
  return message.SerializeAsString();
}

std::string encode_event(const world::RoomEvent& event) {
  v1::ServerMessage message;
  *message.mutable_event() = event_message(event);
  return message.SerializeAsString();
}

v1::CommandReply command_reply(const world::CommandResult& result) {
  v1::CommandReply reply;
  if (result.error) {
    *reply.mutable_error() = error_message(0, *result.error);
  } else {
    *reply.mutable_ack() = ack_message(0, result);
  }
  return reply;
}

int http_status(const world::CommandResult& result) {
  return result.error ? error_status(*result.error) : 200;
}

int error_status(const world::CommandError& error) {
  switch (error.code) {
    case Code::kInvalid:
      return 400;
    case Code::kNotFound:
      return 404;
    case Code::kForbidden:
      return 403;
    case Code::kRateLimited:
      return 429;
    case Code::kBusy:
      return 503;
    case Code::kUnsupported:
      return 400;
    case Code::kInternal:
      return 500;
    case Code::kConflict:
      return 409;
  }
  return 500;
}

world::CommandError make_error(Code code, std::string message, std::string field, std::string value,
                               std::string allowed) {
  world::CommandError error;
  error.code = code;
  error.field = std::move(field);
  error.value = std::move(value);
  error.allowed = std::move(allowed);
  error.message = std::move(message);
  return error;
}

}  // namespace promenade::api
