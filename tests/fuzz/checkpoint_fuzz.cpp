// Checkpoints that a stranger made: no crash, no hang; what is refused changes nothing, and what is
// taken runs on.
#include <google/protobuf/stubs/logging.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "api/decode.h"
#include "support/paths.h"
#include "world/checkpoint/checkpoint.h"
#include "world/library/library.h"
#include "world/room/room.h"

namespace {

using namespace promenade;

/// A room and the state to which it is taken back before each input.
struct Base {
  world::Room room;
  v1::Checkpoint start;
  std::uint64_t start_hash = 0;

  Base(std::shared_ptr<const Library> library, const world::RoomSettings& settings,
       std::initializer_list<std::string_view> commands)
      : room(std::move(library), settings) {
    for (const std::string_view text : commands) {
      const auto command = api::decode_command_json(text);
      if (const auto* error = std::get_if<world::CommandError>(&command)) {
        throw std::runtime_error(error->message);
      }
      const auto result = room.apply(std::get<world::Command>(command));
      if (result.error) throw std::runtime_error(result.error->message);
    }
    room.tick();
    start = room.save();
    start_hash = room.state_hash();
  }
};

/// Few and small bodies, and ticks of one step: an input then takes a fraction of a millisecond.
Base& base(bool things) {
  static const auto bases = [] {
    auto library = Library::load(promenade::test::data_dir());
    if (!library) throw std::runtime_error(library.error().text());
    world::RoomSettings settings;
    settings.scene = "one";
    settings.substeps = 1;
    settings.ticks_per_second = 480;
    using Commands = std::initializer_list<std::string_view>;
    const Commands push = {R"({"push": {"character": 1, "force_n": [9, 9, 9], "duration_s": 1}})"};
    const Commands tied = {
        R"({"remove": {"character": 1}})", R"({"spawn": {"body": "luxo", "controller": "hold"}})",
        R"({"spawn_thing": {"thing": "crate", "position_m": [2, 0, 1]}})",
        R"({"tie": {"tie": {"kind": "HINGE", "a": {"id": 3}, "axis": [0, 0, 1]}}})"};
    return std::array{std::make_unique<Base>(*library, settings, push),
                      std::make_unique<Base>(*library, settings, tied)};
  }();
  return *bases[things];
}

/// The state that the input changes, of those that the checkpoint has.
google::protobuf::RepeatedField<std::uint64_t>* state_of(v1::Checkpoint& message, unsigned which) {
  if (message.things_size() == 0) return message.mutable_characters(0)->mutable_state();
  switch (which % 3) {
    case 0:
      return message.mutable_characters(0)->mutable_state();
    case 1:
      return message.mutable_things(0)->mutable_state();
    default:
      return message.mutable_ties(0)->mutable_state();
  }
}

/// A checkpoint of the room whose parts the input replaces, so that more gets past the first
/// checks: most bytes of a whole file are in states.
v1::Checkpoint mutated(const v1::Checkpoint& start, const std::uint8_t* data, std::size_t size) {
  v1::Checkpoint message = start;
  for (std::size_t i = 0; i + 12 <= size; i += 12) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 8; ++k) word = word << 8 | data[i + 4 + k];
    const std::size_t at = std::size_t(data[i + 1]) << 8 | data[i + 2];
    auto* state = state_of(message, data[i + 3]);
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

void offer(Base& base, v1::Checkpoint message) {
  auto error = base.room.restore(message);
  if (error && error->field == "checkpoint.state_hash") {
    // The right hash is in the error: what is in the state is taken then, and has to run.
    message.set_state_hash(error->allowed.substr(1, 16));
    error = base.room.restore(message);
  }
  if (error) {
    if (base.room.state_hash() != base.start_hash || error->message.empty()) std::abort();
    return;
  }
  if (base.room.save().state_hash() != message.state_hash()) std::abort();
  base.room.tick();
  (void)base.room.make_snapshot();
  if (base.room.restore(base.start)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // It would print a line for each string that is not UTF-8.
  static const auto printed = google::protobuf::SetLogHandler(nullptr);
  (void)printed;
  if (size == 0) return 0;
  Base& chosen = base(data[0] & 2);
  if (data[0] & 1) {
    // As a file, and past its checksum, which hardly any input has.
    (void)world::parse_checkpoint({reinterpret_cast<const char*>(data + 1), size - 1});
    v1::Checkpoint message;
    if (!message.ParseFromArray(data + 1, int(size - 1))) return 0;
    message.set_format(world::kCheckpointFormat);  // the corpus stays of use when that grows
    offer(chosen, std::move(message));
  } else {
    offer(chosen, mutated(chosen.start, data + 1, size - 1));
  }
  return 0;
}
