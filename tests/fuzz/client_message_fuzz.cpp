// A binary message of a client over the socket.
#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "accepted_command.h"
#include "api/decode.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // It would print a line for each string that is not UTF-8.
  static const auto printed = google::protobuf::SetLogHandler(nullptr);
  (void)printed;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto result = promenade::api::decode_client_message(bytes);
  if (result.readable && !result.error && result.message.has_command()) {
    promenade::fuzz::expect_sound(promenade::api::decode_command(result.message.command()));
  }
  return 0;
}
