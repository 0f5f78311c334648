#include <algorithm>

#include "math/rotation.h"
#include "world/crowd/crowd.h"
#include "world/step/wall_clock.h"

// How the characters of a crowd keep clear of each other.
namespace promenade::world {
namespace {

using behaviour::crowd::Vec2f;
using behaviour::crowd::Walkers;

constexpr double kDisc = 0.8;     // share of the wanted space: 0.36 m of the human's
constexpr float kSlowest = 0.5f;  // m/s, at which a character may evade at least

/// How somebody answers to the choices of the crowd.
struct Answer {
  float lag;                 // s
  float share;               // of an evasion: characters that answer badly do less of it
  float sideways, backward;  // m/s
};
constexpr Answer kLight{0.45f, 0.5f, 0.5f, 0.4f};
constexpr Answer kPhysics{0.4f, 0.25f, 0.15f, 0.1f};

/// One character as its crowd sees it.
/// @param index  among all of them
Walkers::Disc disc_of(Entity& e, std::size_t index) {
  Walkers::Disc disc;
  disc.share = 0;
  if (!e.present()) {
    // The disc is put out of everybody's way.
    disc.position = Vec2f(1e5f, 2 * float(index));
    return disc;
  }
  const bool light = e.kinematic() != nullptr;
  disc.radius = float(kDisc * e.radius);
  if (!e.in_crowd()) {
    e.in_step.known = false;
    disc.position = e.position().cast<float>();
    disc.velocity = e.smooth_velocity.cast<float>();
    return disc;
  }
  e.in_step.meet(e.position(), e.smooth_velocity, light);
  disc.position = e.in_step.place.cast<float>();
  disc.velocity = e.in_step.velocity.cast<float>();
  disc.preferred = e.behaviour->wish().cast<float>();
  const float wished = disc.preferred.norm();
  disc.fastest = std::max(kSlowest, 1.3f * wished);
  const Answer& answer = light ? kLight : kPhysics;
  disc.lag = answer.lag;
  // A character that stands stays: the others go round.
  disc.share = wished > 0 ? answer.share : 0;
  disc.facing = rotated(Vec2(1, 0), e.smooth_heading).cast<float>();
  disc.sideways = answer.sideways;
  disc.backward = answer.backward;
  disc.held = float(e.in_step.held_up);
  disc.news = float(e.in_step.news);
  return disc;
}

}  // namespace

void Crowd::choose_velocities(Occupants& occupants, Workers& workers, const TickView& now) {
  auto& discs = walkers_.discs();
  discs.resize(occupants.entities.size());
  workers.each_piece(occupants.entities.size(),
                     [&](std::size_t first, std::size_t end, Workers::Worker& w) {
                       const double began = now_s();
                       for (std::size_t i = first; i < end; ++i)
                         discs[i] = disc_of(*occupants.entities[i], i);
                       w.behaviour_s += now_s() - began;
                     });
  if (std::none_of(occupants.entities.begin(), occupants.entities.end(),
                   [](const auto& e) { return e->in_crowd(); }))
    return;
  for (const auto& prop : occupants.props) {
    for (const behaviour::Neighbour& part : prop->discs()) {
      Walkers::Disc disc;
      disc.position = part.position.cast<float>();
      disc.velocity = part.velocity.cast<float>();
      disc.radius = float(part.radius);
      disc.share = 0;
      discs.push_back(disc);
    }
  }
  chosen_.resize(discs.size());
  walkers_.sort(now.age() / period_);
  constexpr std::size_t kPiece = 32;
  workers.run(int((discs.size() + kPiece - 1) / kPiece), [&](int piece, Workers::Worker& worker) {
    const double began = now_s();
    const std::size_t first = std::size_t(piece) * kPiece;
    walkers_.choose(first, std::min(kPiece, discs.size() - first), chosen_);
    worker.behaviour_s += now_s() - began;
  });
  workers.each(occupants.entities.size(), [&](std::size_t i, Workers::Worker&) {
    Entity& e = *occupants.entities[i];
    if (!e.in_crowd()) return;
    e.in_step.move(chosen_[i].cast<double>(), double(discs[i].lag), double(walkers_.law().step));
    e.in_step.held_up = discs[i].held;
    e.in_step.news = discs[i].news;
  });
}

}  // namespace promenade::world
