// Coded frames for a camera in the midst of a crowd: how many bytes they take and what they cost.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/random.h"
#include "stream/coded/frame_coder.h"
#include "stream/coded/frame_decoder.h"
#include "stream/frame.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"

namespace promenade::study {
namespace {

constexpr double kFrameHz = 30;
constexpr int kTicksAFrame = 2;
constexpr double kEyeHeight = 1.7;  // m

/// What a crowd's frames took.
struct CodedFigures {
  int frames = 0;
  double whole = 0, coded = 0;  // bytes of all frames
  std::array<double, stream::kTiers> characters{}, told{}, bytes{};
  std::vector<double> sizes;      // bytes, of each frame
  std::vector<double> took;       // s of CPU time, to encode one
  std::size_t key = 0, kept = 0;  // bytes: of a first frame, of what a viewer's encoder keeps

  double bytes_told(stream::Tier tier) const {
    return bytes[std::size_t(tier)] / std::max(1.0, told[std::size_t(tier)]);
  }
};

/// A camera at eye height that looks round once in half a minute.
stream::View view_at(const Vec2& place, double time) {
  stream::View view;
  view.eye = Vec3(place.x(), place.y(), kEyeHeight);
  const double angle = kTwoPi / 30 * time;
  view.forward = Vec3(std::cos(angle), std::sin(angle), 0);
  view.height_rad = 32 * kTwoPi / 360;  // that of the page
  return view;
}

CodedFigures film(world::Room& room, double seconds) {
  CodedFigures out;
  stream::CodedFrameEncoder encoder;
  stream::CodedFrameDecoder decoder;
  stream::FrameEncoder whole;
  const auto first = room.snapshot();
  std::vector<stream::TrackedMember> members;
  for (const auto& entry : first->roster->entries) members.push_back({entry.id, entry.coordinates});
  decoder.follow(std::move(members));
  Vec2 middle = Vec2::Zero();
  for (const auto& one : first->characters) middle += one.root.position.head<2>();
  middle /= double(std::max<std::size_t>(1, first->characters.size()));
  const auto frames = int(seconds * kFrameHz);
  constexpr int kSettle = 60;  // frames until the models have learnt and tiers stand
  for (int i = -kSettle; i < frames; ++i) {
    for (int tick = 0; tick < kTicksAFrame; ++tick) room.tick();
    const auto snapshot = room.snapshot();
    encoder.look(view_at(middle, i / kFrameHz));
    const double start = thread_cpu_s();
    const std::string message = stream::coded_frame(*snapshot, 1, 0, encoder.encode(*snapshot, {}));
    const double took = thread_cpu_s() - start;
    v1::ServerMessage read;
    if (!read.ParseFromString(message) || !decoder.decode(*read.mutable_frame())) {
      throw std::runtime_error("a coded frame cannot be read");
    }
    if (i == -kSettle) out.key = message.size();
    if (i < 0) continue;
    ++out.frames;
    out.coded += double(message.size());
    out.whole += double(whole.encode(*snapshot, 1).size());
    out.sizes.push_back(double(message.size()));
    out.took.push_back(took);
    for (std::size_t tier = 0; tier < stream::kTiers; ++tier) {
      out.characters[tier] += double(encoder.counts().characters[tier]);
      out.told[tier] += double(encoder.counts().told[tier]);
      out.bytes[tier] += double(encoder.counts().bytes[tier]);
    }
  }
  out.kept = encoder.bytes();
  return out;
}

/// `count` light bipeds at 0.25 / m^2, on rounds of their own of some metres.
std::unique_ptr<world::Room> plaza(const BenchPlan& plan, int count) {
  world::RoomSettings settings;
  settings.scene = "one";
  settings.threads = plan.threads;
  settings.max_characters = count + 1;
  auto room = std::make_unique<world::Room>(plan.library, settings);
  for (const auto& one : room->snapshot()->characters) room->apply(world::Remove{one.id});
  const auto done = [](const world::CommandResult& result) {
    if (result.error) throw std::runtime_error(result.error->message);
    return result.character;
  };
  const char* const bodies[] = {"human", "child", "athlete"};
  const char* const styles[] = {"normal", "stroll"};
  Random random(5);
  const int side = int(std::ceil(std::sqrt(double(count))));
  for (int i = 0; i < count; ++i) {
    world::Spawn spawn{};
    spawn.body = bodies[i % 3];
    spawn.style = styles[i % 2];
    spawn.controller = "pendulum";
    const Vec2 place = 2 * Vec2(i % side - 0.5 * side, i / side - 0.5 * side);
    spawn.position = place;
    spawn.heading = random.uniform(-kPi, kPi);
    world::FollowPath round;
    const double radius = random.uniform(2, 8);
    for (int corner = 0; corner < 12; ++corner) {
      const double angle = spawn.heading + corner * kTwoPi / 12;
      round.points.push_back(place + radius * Vec2(std::cos(angle), std::sin(angle)));
    }
    round.closed = true;
    round.character = done(room->apply(spawn));
    done(room->apply(round));
  }
  for (int tick = 0; tick < 180; ++tick) room->tick();
  return room;
}

std::string tier_table(const CodedFigures& figures) {
  const char* const names[] = {"near", "middle", "far", "not seen"};
  std::string out =
      "| tier | characters | told in a frame | bytes each | bytes a frame |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (std::size_t tier = 0; tier < stream::kTiers; ++tier) {
    out += formatted("| %s | %.0f | %.1f | %.2f | %.0f |\n", names[tier],
                     figures.characters[tier] / figures.frames, figures.told[tier] / figures.frames,
                     figures.bytes_told(stream::Tier(tier)), figures.bytes[tier] / figures.frames);
  }
  return out;
}

}  // namespace

void bench_coded(BenchPlan& plan) {
  if (!plan.wants_any({"coded-near", "coded-far", "coded-5000-rate", "coded-5000-time"})) return;
  if (plan.wants("coded-near")) {
    plan.now("coded frames of people in full physics");
    BenchRig rig = BenchRig::crowd(plan.library, 100, plan.threads);
    rig.warm_up(kInStride);
    const CodedFigures figures = film(rig.room(), plan.amount(20.0, 4.0));
    plan.notes += "\n100 walkers in full physics:\n\n" + tier_table(figures);
    plan.at_most("coded-near",
                 formatted("bytes of a biped near the camera in a coded frame, 100 walkers of all "
                           "bodies and styles in full physics; whole frames take %.1f",
                           figures.whole / figures.frames / 100),
                 "issue", 24, figures.bytes_told(stream::Tier::kNear), "bytes");
  }
  if (!plan.wants_any({"coded-far", "coded-5000-rate", "coded-5000-time"})) return;
  constexpr int kPeople = 5000;
  plan.now("5,000 light bipeds");
  const auto room = plaza(plan, kPeople);
  const CodedFigures figures = film(*room, plan.amount(30.0, 4.0));
  plan.notes += "\n5,000 light bipeds at 0.25 / m2:\n\n" + tier_table(figures);
  plan.at_most("coded-far", "bytes of a biped far from the camera, whenever it is told", "", 6,
               figures.bytes_told(stream::Tier::kFar), "bytes");
  std::vector<double> sizes = figures.sizes;
  std::sort(sizes.begin(), sizes.end());
  plan.at_most(
      "coded-5000-rate",
      formatted("a viewer in the midst of 5,000 light bipeds at 30 Hz, looking round once in "
                "30 s; whole frames take %.1f Mbit/s, the largest coded frame %.1f KB, 1 in 20 "
                "above %.1f KB, the first one %.0f KB",
                figures.whole / figures.frames * kFrameHz * 8e-6, sizes.back() / 1000,
                sizes[sizes.size() * 19 / 20] / 1000, double(figures.key) / 1000),
      "", 3, figures.coded / figures.frames * kFrameHz * 8e-6, "Mbit/s");
  std::vector<double> took = figures.took;
  std::sort(took.begin(), took.end());
  plan.at_most(
      "coded-5000-time",
      formatted("CPU time to encode a frame of it for one viewer, median; 1 in 20 takes more "
                "than %.2f ms; a viewer's encoder keeps %.1f MB",
                1e3 * took[took.size() * 19 / 20], double(figures.kept) / 1e6),
      "", 1, 1e3 * took[took.size() / 2], "ms");
}

}  // namespace promenade::study
