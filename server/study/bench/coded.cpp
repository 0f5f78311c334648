// Coded frames for a camera in the midst of a crowd: how many bytes they take and what they cost.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/random.h"
#include "math/rotation.h"
#include "math/statistics.h"
#include "stream/coded/frame_coder.h"
#include "stream/coded/frame_decoder.h"
#include "stream/frame.h"
#include "stream/quantize.h"
#include "study/bench/allocation_counter.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"
#include "study/trial/rig/link_poses.h"

namespace promenade::study {
namespace {

constexpr double kFrameHz = 30;
constexpr int kTicksAFrame = 2;
constexpr double kEyeHeight = 1.7;  // m

/// The sizes and errors of a crowd's frames.
struct CodedFigures {
  int frames = 0;
  double whole = 0, coded = 0;  // bytes of all frames
  std::array<double, stream::kTiers> characters{}, told{}, bytes{};
  std::vector<double> off, whole_off;  // pixels, of links that are in the picture
  std::vector<double> sizes;           // bytes, of each frame
  std::vector<double> took;            // s of CPU time, to encode one
  double allocations = 0;              // calls of operator new in the encoder
  std::size_t key = 0, kept = 0;       // bytes: of a first frame, of what a viewer's encoder keeps

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

/// How far the links of all who are in the picture are from where they should be, in pixels.
void judge(const world::Snapshot& truth, const v1::Frame& frame, const stream::View& view,
           std::vector<double>& off) {
  std::vector<Pose> right, shown;
  for (std::size_t i = 0; i < truth.characters.size(); ++i) {
    const world::CharacterSnapshot& one = truth.characters[i];
    const Vec3 way = (one.root.position - view.eye).normalized();
    if (way.dot(view.forward) < std::cos(view.height_rad / 2)) continue;
    const auto& entry = truth.roster->entries[i];
    const auto& model = *truth.roster->bodies[std::size_t(entry.body)]->model;
    const float* coordinates = truth.coordinates.data() + one.first_coordinate;
    trial::place_links(
        model, one.root, [&](std::size_t k) { return double(coordinates[k]); }, right);
    Pose root;
    const auto n = int(i);
    for (int axis = 0; axis < 3; ++axis) {
      root.position[axis] = frame.root_position(3 * n + axis) * stream::kPositionUnit;
    }
    root.rotation = stream::unpack_rotation(frame.root_rotation(n));
    const auto joint = [&](std::size_t k) {
      return frame.joint(int(one.first_coordinate + k)) * stream::kAngleUnit;
    };
    trial::place_links(model, root, joint, shown);
    for (std::size_t k = 0; k < right.size(); ++k) {
      const Vec3 a = right[k].position - view.eye, b = shown[k].position - view.eye;
      off.push_back(std::atan2(a.cross(b).norm(), a.dot(b)) / view.pixel_rad());
    }
  }
}

CodedFigures film(world::Room& room, double seconds, bool judged) {
  CodedFigures out;
  stream::CodedFrameEncoder encoder;
  encoder.count_bytes();
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
    const stream::View view = view_at(middle, i / kFrameHz);
    encoder.look(view);
    const double start = thread_cpu_s();
    const stream::CrowdNow crowd(*snapshot);
    const AllocationCounter allocations;
    const std::string& coded = encoder.encode(crowd, {});
    const std::uint64_t allocated = allocations.count();
    const std::string message = stream::coded_frame(*snapshot, 1, 0, coded);
    const double took = thread_cpu_s() - start;
    v1::ServerMessage read;
    if (!read.ParseFromString(message) || !decoder.decode(*read.mutable_frame())) {
      throw std::runtime_error("a coded frame cannot be read");
    }
    if (i == -kSettle) out.key = message.size();
    if (i < 0) continue;
    ++out.frames;
    out.coded += double(message.size());
    const std::string absolute = whole.encode(*snapshot, 1);
    out.whole += double(absolute.size());
    if (judged && i % 10 == 0) {
      judge(*snapshot, read.frame(), view, out.off);
      v1::ServerMessage message_of_whole;
      message_of_whole.ParseFromString(absolute);
      judge(*snapshot, message_of_whole.frame(), view, out.whole_off);
    }
    out.sizes.push_back(double(message.size()));
    out.took.push_back(took);
    out.allocations += double(allocated);
    for (std::size_t tier = 0; tier < stream::kTiers; ++tier) {
      out.characters[tier] += double(encoder.counts().characters[tier]);
      out.told[tier] += double(encoder.counts().told[tier]);
      out.bytes[tier] += double(encoder.counts().bytes[tier]);
    }
  }
  out.kept = encoder.bytes();
  return out;
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
  if (!plan.wants_any(
          {"coded-near", "coded-picture-off", "coded-far", "coded-5000-rate", "coded-5000-time"}))
    return;
  if (plan.wants_any({"coded-near", "coded-picture-off"})) {
    plan.now("coded frames of people in full physics");
    BenchRig rig = BenchRig::crowd(plan.library, 100, plan.threads);
    rig.warm_up(kInStride);
    const CodedFigures figures = film(rig.room(), plan.amount(20.0, 4.0), true);
    plan.notes += "\n100 walkers in full physics:\n\n" + tier_table(figures);
    plan.at_most("coded-near",
                 formatted("bytes of a biped near the camera in a coded frame, 100 walkers of all "
                           "bodies and styles in full physics; whole frames take %.1f",
                           figures.whole / figures.frames / 100),
                 "", 24, figures.bytes_told(stream::Tier::kNear), "bytes");
    std::vector<double> off = figures.off, whole = figures.whole_off;
    plan.at_most(
        "coded-picture-off",
        formatted("99 of 100 links in the picture of this camera are no further from their "
                  "place, in pixels of 1080 lines; half of them %.2f, one in 1000 more than "
                  "%.1f; in whole frames 99 of 100 within %.2f",
                  percentile(off, 50), percentile(off, 99.9), percentile(whole, 99)),
        "", 2, percentile(off, 99), "pixels");
  }
  if (!plan.wants_any({"coded-far", "coded-5000-rate", "coded-5000-time", "coded-allocations"}))
    return;
  constexpr int kPeople = 5000;
  plan.now("5,000 light bipeds");
  const auto room = light_crowd(plan.library, kPeople, plan.threads);
  const CodedFigures figures = film(*room, plan.amount(30.0, 4.0), false);
  plan.notes += "\n5,000 light bipeds at 0.25 / m2:\n\n" + tier_table(figures);
  plan.at_most("coded-far", "bytes of a biped far from the camera, whenever it is told", "", 6,
               figures.bytes_told(stream::Tier::kFar), "bytes");
  std::vector<double> sizes = figures.sizes, took = figures.took;
  plan.at_most(
      "coded-5000-rate",
      formatted("a viewer in the midst of 5,000 light bipeds at 30 Hz, looking round once in "
                "30 s; whole frames take %.1f Mbit/s, the largest coded frame %.1f KB, 1 in 20 "
                "above %.1f KB, the first one %.0f KB",
                figures.whole / figures.frames * kFrameHz * 8e-6, sizes.back() / 1000,
                sizes[sizes.size() * 19 / 20] / 1000, double(figures.key) / 1000),
      "", 3, figures.coded / figures.frames * kFrameHz * 8e-6, "Mbit/s");
  plan.at_most(
      "coded-5000-time",
      formatted("CPU time to encode a frame of it for one viewer, median; 1 in 20 takes more "
                "than %.2f ms; a viewer's encoder keeps %.1f MB",
                1e3 * percentile(took, 95), double(figures.kept) / 1e6),
      "", 1, 1e3 * percentile(took, 50), "ms");
  plan.at_most("coded-allocations",
               "calls of `operator new` in the encoder, of all these frames after the first two "
               "seconds: their sum",
               "", 0, figures.allocations, "calls");
}

}  // namespace promenade::study
