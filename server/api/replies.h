#pragma once

#include <cstdint>
#include <string>

#include "api/roles.h"
#include "promenade/v1/api.pb.h"
#include "promenade/v1/wire.pb.h"
#include "world/command/command.h"
#include "world/showing/snapshot.h"

// Answers of the server as messages: the socket sends their bytes, the HTTP API their JSON.
namespace promenade::api {

/// The same text as UTF-8: bytes that fit no character become "?". Strings of protobuf and of JSON
/// must be UTF-8, but an error may quote text that was cut within a character or was not UTF-8 to
/// begin with.
std::string as_utf8(const std::string& text);

v1::Error error_message(std::uint64_t seq, const world::CommandError& error);
v1::Ack ack_message(std::uint64_t seq, const world::CommandResult& result);
v1::Event event_message(const world::RoomEvent& event);

/// A ServerMessage with the Ack of a result, or its Error.
std::string encode_result(std::uint64_t seq, const world::CommandResult& result);
std::string encode_error(std::uint64_t seq, const world::CommandError& error);
std::string encode_event(const world::RoomEvent& event);

/// The same for the HTTP API.
v1::CommandReply command_reply(const world::CommandResult& result);
/// 200, 400, 403, 404, 409, 429, 500 or 503.
int http_status(const world::CommandResult& result);
int error_status(const world::CommandError& error);

/// An error made here and not by a check of a field.
world::CommandError make_error(world::CommandError::Code code, std::string message,
                               std::string field = {}, std::string value = {},
                               std::string allowed = {});

}  // namespace promenade::api
