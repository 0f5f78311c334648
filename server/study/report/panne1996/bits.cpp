// Whether a gait comes to the same bits however its room is run.
#include <cmath>
#include <stdexcept>

#include "study/report/panne1996/shipped_gaits.h"
#include "study/report/plan.h"
#include "study/trial/rig/scratch_directory.h"
#include "world/checkpoint/checkpoint.h"
#include "world/room/room.h"

namespace promenade::study {
namespace {

constexpr double kSeconds = 20;
constexpr int kToys = 4;      // of a kind: a room steps so many side by side
constexpr double kApart = 2;  // m

using world::Room;

void obey(Room& room, const world::Command& command) {
  const world::CommandResult result = room.apply(command);
  if (result.error) throw std::runtime_error("same-bits: " + result.error->message);
}

// A room with toys that play a gait, in the place of the person of the scene.
std::unique_ptr<Room> room_with(const std::shared_ptr<const Library>& library,
                                const ShippedGait& gait, int threads) {
  world::RoomSettings settings;
  settings.scene = "one";
  settings.threads = threads;
  auto room = std::make_unique<Room>(library, settings);
  obey(*room, world::Remove{1});
  for (int i = 0; i < kToys; ++i) {
    world::Spawn spawn{};
    spawn.body = gait.message.creature();
    spawn.controller = "posegraph";
    spawn.position = Vec2(0, i * kApart);
    obey(*room, spawn);
    const world::CharacterId id = room->snapshot()->roster->entries.back().id;
    obey(*room, world::SetGait{id, gait.name});
    obey(*room, world::SetVelocity{id, Vec2(1, 0), world::Frame::kCharacter});
  }
  return room;
}

void go_on(Room& room, double seconds) {
  const auto ticks = std::uint64_t(std::llround(seconds / room.tick_seconds()));
  for (std::uint64_t i = 0; i < ticks; ++i) room.tick();
}

// The hash at the end after it was saved to a file at half the time and gone on with in a room of
// its own.
std::uint64_t hash_after_a_save(const std::shared_ptr<const Library>& library,
                                const ShippedGait& gait) {
  const trial::ScratchDirectory directory;
  const auto file = directory.path() / "room.checkpoint";
  {
    const auto room = room_with(library, gait, 1);
    go_on(*room, kSeconds / 2);
    if (const auto error = world::write_checkpoint(room->save(), file)) {
      throw std::runtime_error(error->text());
    }
  }
  const auto saved = world::read_checkpoint(file);
  if (!saved) throw std::runtime_error(saved.error().text());
  Room room(library, world::settings_of(*saved, 2));
  if (const auto error = room.restore(*saved)) throw std::runtime_error(error->message);
  go_on(room, kSeconds / 2);
  return room.state_hash();
}

/// The hashes of a gait's rooms.
struct Hashes {
  std::uint64_t once = 0, again = 0, on_two = 0, saved = 0;
  int equal() const { return 1 + (again == once) + (on_two == once) + (saved == once); }
};

}  // namespace

void plan_toy_bits(ReportPlan& plan) {
  for (const ShippedGait& one : shipped_gaits(*plan.library)) {
    const std::string id = "same-bits-" + one.name;
    if (!plan.wants(id)) continue;
    auto hashes = std::make_shared<Hashes>();
    const auto hash_of = [=, library = plan.library](int threads) {
      const auto room = room_with(library, one, threads);
      go_on(*room, kSeconds);
      return room->state_hash();
    };
    plan.job([=] { hashes->once = hash_of(1); });
    plan.job([=] { hashes->again = hash_of(1); });
    plan.job([=] { hashes->on_two = hash_of(2); });
    plan.job([=, library = plan.library] { hashes->saved = hash_after_a_save(library, one); });
    plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
      ReportRow row;
      row.id = id;
      row.claim = formatted(
          "rooms with %d toys that go by %s for %.0f s and come to the state hash %016llx: two "
          "with "
          "one thread, one with two threads, one that was saved to a file and gone on with",
          kToys, one.name.c_str(), kSeconds, static_cast<unsigned long long>(hashes->once));
      row.source = "not addressed";
      row.asked = 4.0;
      row.got = double(hashes->equal());
      row.unit = "rooms";
      row.holds = hashes->equal() == 4;
      rows.push_back(std::move(row));
    });
  }
}

}  // namespace promenade::study
