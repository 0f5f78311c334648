#pragma once

#include <string_view>
#include <variant>

#include "promenade/v1/wire.pb.h"
#include "schema/error.h"
#include "world/command/command.h"

namespace promenade::api {

/// One message of a client: parsed, without unknown fields, its own numbers in range (a command in
/// it is checked by decode_command).
struct ClientMessageResult {
  v1::ClientMessage message;  // as far as it could be read; `seq` is worth a reply
  bool readable = false;      // false: these bytes are not a ClientMessage at all
  std::optional<world::CommandError> error;
};
ClientMessageResult decode_client_message(std::string_view bytes);

/// The command in a message, checked, or the first thing wrong with it.
std::variant<world::Command, world::CommandError> decode_command(const v1::Command& command);

/// The fault in the JSON of a request: its `field` is the path as far as it was read.
world::CommandError request_error(const schema::FileError& wrong);

/// The command in JSON, in protobuf's mapping.
std::variant<world::Command, world::CommandError> decode_command_json(std::string_view text);

inline constexpr double kMinRateHz = 1, kMaxRateHz = 60, kDefaultRateHz = 30;
inline constexpr int kMaxWatched = 8;
inline constexpr int kMaxBodiesAsked = 64;                    // in a message
inline constexpr int kMaxAttended = 32;                       // selected, in a message
inline constexpr double kMaxPointer = 1000;                   // m
inline constexpr double kMaxEye = 100'000;                    // m
inline constexpr double kMinViewRad = 0.01, kMaxViewRad = 3;  // of a camera's picture
inline constexpr double kMinAspect = 0.1, kMaxAspect = 10;
inline constexpr std::size_t kMaxTokenLength = 256, kMaxClientLength = 120, kMaxRoomLength = 40;
inline constexpr std::size_t kMaxVisitorKeyLength = 64, kMaxVisitorNameLength = 40;

}  // namespace promenade::api
