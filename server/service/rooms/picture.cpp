#include "service/rooms/picture.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "stream/quantize.h"

namespace promenade::service {
namespace {

constexpr double kChooseEvery_s = 8;  // simulated: the bodies shown change no more often
constexpr double kStray = 0.3;        // share of the radius: nor before the crowd has moved so far
constexpr double kCentimetre = 0.01;
constexpr std::size_t kMomentBytes = 16;  // bytes of a moment without bodies
constexpr std::size_t kBoxBytes = 15;     // bytes of a body with a box in a moment, at most
constexpr std::size_t kForBlocks = 400;   // bytes that characters and things leave to blocks
constexpr std::size_t kForThings = 1600;  // bytes that characters leave to things and blocks
constexpr std::size_t kBodyBytes = 11;    // bytes of a body with bones, without its points

double middle_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

const Creature& body_of(const world::Roster& roster, int body) {
  return *roster.bodies[static_cast<std::size_t>(body)];
}

// The middle of those who are there, on the ground; robust against some who have strayed.
Vec3 center_of(const world::Snapshot& snapshot) {
  std::vector<double> x, y, z;
  const auto take = [&](const Vec3& at, double height) {
    if (!at.allFinite()) return;
    x.push_back(at.x());
    y.push_back(at.y());
    z.push_back(at.z() - height);
  };
  for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
    take(snapshot.characters[i].root.position,
         body_of(*snapshot.roster, snapshot.roster->entries[i].body).standing_height);
  }
  if (x.empty()) {
    for (const world::ThingSnapshot& thing : snapshot.things) take(thing.root.position, 0);
  }
  return {middle_of(x), middle_of(y), middle_of(z)};
}

}  // namespace

void Picture::add(const world::Snapshot& snapshot, const v1::Scene* scene) {
  const auto since = static_cast<double>(snapshot.tick - chosen_at_) * tick_s_;
  const bool strayed =
      since > kChooseEvery_s && (center_of(snapshot) - center_).norm() > kStray * head_.radius_m();
  // Bodies keep their ids, so a page draws them on through another choice.
  if (snapshot.roster != roster_ || snapshot.tick < tick() || strayed) choose(snapshot, scene);
  paused_ = snapshot.paused;
  // A room that stops or falls asleep shows once more where it is.
  if (!moments_.empty() && moments_.back().tick() == snapshot.tick) moments_.pop_back();
  moments_.push_back(moment_of(snapshot));
  if (moments_.size() > kMoments) moments_.pop_front();
}

void Picture::choose(const world::Snapshot& snapshot, const v1::Scene* scene) {
  roster_ = snapshot.roster;
  chosen_at_ = snapshot.tick;
  center_ = center_of(snapshot);
  moments_.clear();
  figures_.clear();
  figure_of_.clear();
  head_.Clear();
  head_.set_room(room_);
  head_.set_tick_s(tick_s_);
  for (int k = 0; k < 3; ++k) head_.add_center_m(center_[k]);
  std::vector<Shown> near;
  const auto consider = [&](std::size_t index, bool thing, const Vec3& at) {
    const double distance = (at - center_).norm();
    if (std::isfinite(distance)) near.push_back({index, thing, distance});
  };
  for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
    consider(i, false, snapshot.characters[i].root.position);
  }
  for (std::size_t i = 0; i < snapshot.things.size(); ++i) {
    consider(i, true, snapshot.things[i].root.position);
  }
  std::stable_sort(near.begin(), near.end(), [](const Shown& a, const Shown& b) {
    return a.thing != b.thing ? b.thing : a.distance < b.distance;
  });
  std::size_t left = kMaxBytes - 200 - room_.size() - kMoments * kMomentBytes;
  std::size_t characters = 0, things = 0;
  std::vector<double> distances;
  for (const Shown& one : near) {
    std::size_t& count = one.thing ? things : characters;
    if (count >= (one.thing ? kMostThings : kMostCharacters)) continue;
    const std::size_t reserve = one.thing || snapshot.things.empty() ? kForBlocks : kForThings;
    if (left < reserve || !show(snapshot, one, left - reserve, left)) continue;
    ++count;
    if (!one.thing || characters == 0) distances.push_back(one.distance);
  }
  if (scene) choose_blocks(*scene, left);
  std::sort(distances.begin(), distances.end());
  const double most = distances.empty() ? 4 : distances[distances.size() * 7 / 10];
  head_.set_radius_m(std::clamp(most, 1.5, 12.0));
}

bool Picture::show(const world::Snapshot& snapshot, const Shown& one, std::size_t most,
                   std::size_t& left) {
  const world::Roster& roster = *snapshot.roster;
  const auto [body, color, id] = [&]() -> std::tuple<int, const std::string&, world::CharacterId> {
    if (one.thing) {
      const world::ThingEntry& entry = roster.things[one.index];
      return {entry.body, entry.color, entry.id};
    }
    const world::RosterEntry& entry = roster.entries[one.index];
    return {entry.body, entry.color, entry.id};
  }();
  const Creature& creature = body_of(roster, body);
  const std::pair key(&creature, color);
  const auto known = figure_of_.find(key);
  if (known == figure_of_.end()) figures_.emplace_back(creature, color, one.thing);
  const PictureFigure& figure =
      known == figure_of_.end() ? figures_.back() : figures_[known->second];
  std::size_t bytes = 12;  // of its entry in `bodies`
  bytes += kMoments * (figure.boxed() ? kBoxBytes : kBodyBytes + figure.bytes());
  if (known == figure_of_.end()) bytes += figure.message().ByteSizeLong() + 4;
  if (bytes > most) {
    if (known == figure_of_.end()) figures_.pop_back();
    return false;
  }
  left -= bytes;
  std::uint32_t index = static_cast<std::uint32_t>(figures_.size()) - 1;
  if (known == figure_of_.end()) {
    figure_of_.emplace(key, index);
    *head_.add_figures() = figure.message();
  } else {
    index = known->second;
  }
  v1::LobbyBody* shown = head_.add_bodies();
  shown->set_id(id);
  shown->set_figure(index);
  return true;
}

void Picture::choose_blocks(const v1::Scene& scene, std::size_t& left) {
  constexpr double kNear = 25;  // m from the middle: blocks shown
  head_.set_no_plane(scene.no_plane());
  for (const v1::Block& block : scene.blocks()) {
    if (block.center_m_size() < 3 || block.size_m_size() < 3) continue;
    if (block.motion().path_m_size() > 0 || block.motion().spin_dps() != 0) continue;
    const Vec3 from = Vec3(block.center_m(0), block.center_m(1), block.center_m(2)) - center_;
    const double reach = Vec2(block.size_m(0), block.size_m(1)).norm() / 2;
    if (from.norm() - reach > kNear || head_.blocks_size() >= kMostBlocks) continue;
    v1::LobbyBlock out;
    for (int k = 0; k < 3; ++k) {
      out.add_center_m(static_cast<float>(from[k]));
      out.add_size_m(static_cast<float>(block.size_m(k)));
    }
    out.set_yaw_deg(static_cast<float>(block.yaw_deg()));
    out.set_pitch_deg(static_cast<float>(block.pitch_deg()));
    out.set_color(block.color());
    const std::size_t bytes = out.ByteSizeLong() + 2;
    if (bytes > left) return;
    left -= bytes;
    *head_.add_blocks() = std::move(out);
  }
}

v1::LobbyMoment Picture::moment_of(const world::Snapshot& snapshot) const {
  v1::LobbyMoment moment;
  moment.set_tick(snapshot.tick);
  const auto put = [&](int body, const Pose& root, const PictureFigure& figure,
                       const std::vector<float>& coordinates, std::size_t first) {
    if (!root.position.allFinite()) return;
    moment.add_body(static_cast<std::uint32_t>(body));
    for (int k = 0; k < 3; ++k) {
      moment.add_position_cm(stream::quantize(root.position[k] - center_[k], kCentimetre));
    }
    if (figure.boxed()) {
      moment.add_rotation(stream::pack_rotation(root.rotation));
    } else {
      first = std::min(first, coordinates.size());
      figure.add_points(root.rotation, coordinates.data() + first, coordinates.size() - first,
                        *moment.mutable_points());
    }
  };
  const auto find = [](const auto& list, world::CharacterId id) {
    const auto found = std::lower_bound(
        list.begin(), list.end(), id, [](const auto& one, auto wanted) { return one.id < wanted; });
    return found != list.end() && found->id == id ? &*found : nullptr;
  };
  for (int i = 0; i < head_.bodies_size(); ++i) {
    const v1::LobbyBody& body = head_.bodies(i);
    const PictureFigure& figure = figures_[body.figure()];
    if (figure.message().thing()) {
      if (const auto* thing = find(snapshot.things, body.id())) {
        put(i, thing->root, figure, snapshot.thing_coordinates, thing->first_coordinate);
      }
    } else if (const auto* character = find(snapshot.characters, body.id())) {
      put(i, character->root, figure, snapshot.coordinates, character->first_coordinate);
    }
  }
  return moment;
}

std::string Picture::encode(bool asleep) const {
  v1::LobbyPictures out;
  v1::LobbyPicture* picture = out.add_rooms();
  *picture = head_;
  picture->set_asleep(asleep);
  picture->set_paused(paused_);
  for (const v1::LobbyMoment& moment : moments_) *picture->add_moments() = moment;
  return out.SerializeAsString();
}

}  // namespace promenade::service
