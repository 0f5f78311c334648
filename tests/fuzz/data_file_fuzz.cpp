// The JSON of characters, styles and scenes, before anything knows what it means.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "schema/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto result = promenade::schema::parse_json(text);
  if (!result && result.error().text().empty()) {
    std::fprintf(stderr, "an error says nothing\n");
    std::abort();
  }
  return 0;
}
