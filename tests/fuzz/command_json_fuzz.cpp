// The body of POST /api/v1/rooms/{id}/commands.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "accepted_command.h"
#include "api/decode.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  promenade::fuzz::expect_sound(promenade::api::decode_command_json(text));
  return 0;
}
