// Checkpoints that a stranger made: no crash, no hang; what is refused changes nothing, and what is
// taken runs on.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "world/checkpoint/checkpoint.h"
#include "world/journal/journal.h"
#include "world/library.h"

namespace {

using promenade::world::Room;

Room& room() {
  static const std::unique_ptr<Room> made = [] {
    auto library = promenade::Library::load(PROMENADE_DATA_DIR);
    if (!library) throw std::runtime_error(library.error().text());
    promenade::world::RoomSettings settings;
    settings.scene = "one";
    return std::make_unique<Room>(*library, settings);
  }();
  return *made;
}

/// A checkpoint of the room whose parts the input replaces, so that more gets past the first
/// checks: most bytes of a whole file are in states.
promenade::v1::Checkpoint mutated(const std::uint8_t* data, std::size_t size) {
  promenade::v1::Checkpoint message = room().save();
  auto* state = message.mutable_characters(0)->mutable_state();
  for (std::size_t i = 0; i + 12 <= size; i += 12) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 8; ++k) word = word << 8 | data[i + 4 + k];
    const std::size_t at = std::size_t(data[i + 1]) << 8 | data[i + 2];
    switch (data[i] % 8) {
      case 0:
        message.set_script_done(word);
        break;
      case 1:
        message.set_tick(word >> (data[i + 3] % 64));
        break;
      case 2:
        message.set_scene_tick(word >> (data[i + 3] % 64));
        break;
      case 3:
        message.mutable_characters(0)->set_id(std::uint32_t(word));
        break;
      case 4:
        message.mutable_characters(0)->set_controller(data[i + 3] % 2 ? "hold" : "limp");
        break;
      case 5:
        state->Truncate(int(at % std::size_t(state->size() + 1)));
        break;
      default:
        if (!state->empty()) state->Set(int(at % std::size_t(state->size())), word);
    }
  }
  return message;
}

void offer(promenade::v1::Checkpoint message) {
  const std::uint64_t before = room().state_hash();
  auto error = room().restore(message);
  if (error && error->field == "checkpoint.state_hash") {
    // The right hash is in the error: what is in the state is taken then, and has to run.
    message.set_state_hash(error->allowed.substr(1, 16));
    error = room().restore(message);
  }
  if (error) {
    if (room().state_hash() != before || error->message.empty()) std::abort();
    return;
  }
  const promenade::v1::Checkpoint again = room().save();
  if (again.state_hash() != message.state_hash()) std::abort();
  for (int i = 0; i < 2; ++i) room().tick();
  (void)room().snapshot();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const promenade::v1::Checkpoint start = room().save();
  if (size == 0) return 0;
  if (data[0] & 1) {
    // As a file, and past its checksum, which hardly any input has.
    (void)promenade::world::parse_checkpoint({reinterpret_cast<const char*>(data + 1), size - 1});
    promenade::v1::Checkpoint message;
    if (message.ParseFromArray(data + 1, int(size - 1))) offer(std::move(message));
  } else {
    offer(mutated(data + 1, size - 1));
  }
  if (room().restore(start)) std::abort();
  return 0;
}
