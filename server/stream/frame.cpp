#include "stream/frame.h"

#include <algorithm>

#include "promenade/v1/wire.pb.h"
#include "stream/quantize.h"
#include "stream/wire_writer.h"

namespace promenade::stream {
namespace {

void put_position(std::string& out, const Vec3& position) {
  for (int axis = 0; axis < 3; ++axis)
    put_varint(out, zigzag(quantize(position[axis], kPositionUnit)));
}

// The coordinates of the body's joints, angles and lengths each in their unit.
void put_joints(std::string& out, const float* coordinates, const std::vector<bool>& lengths,
                std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool length = i < lengths.size() && lengths[i];
    put_varint(out, zigzag(quantize(coordinates[i], length ? kPositionUnit : kAngleUnit)));
  }
}

// Joint coordinates of the things, from the first of each.
std::size_t coordinate_count(const world::Snapshot& snapshot, std::size_t thing) {
  const std::size_t end = thing + 1 < snapshot.things.size()
                              ? snapshot.things[thing + 1].first_coordinate
                              : snapshot.thing_coordinates.size();
  return end - snapshot.things[thing].first_coordinate;
}

void put_moment(std::string& frame, const world::Snapshot& snapshot) {
  using F = v1::Frame;
  put_uint(frame, F::kTickFieldNumber, snapshot.tick);
  put_uint(frame, F::kServerTimeUsFieldNumber, snapshot.server_time_us);
  put_float(frame, F::kRealTimeFactorFieldNumber, static_cast<float>(snapshot.real_time_factor));
  put_uint(frame, F::kRosterVersionFieldNumber, snapshot.roster->version);
}

void put_room(std::string& frame, const world::Snapshot& snapshot, std::uint32_t viewers) {
  using F = v1::Frame;
  put_uint(frame, F::kPausedFieldNumber, snapshot.paused ? 1 : 0);
  put_float(frame, F::kTimeScaleFieldNumber, static_cast<float>(snapshot.time_scale));
  put_uint(frame, F::kViewersFieldNumber, viewers);
}

void put_things(std::string& frame, const ThingArrays& things) {
  using F = v1::Frame;
  put_bytes(frame, F::kThingFieldNumber, things.things);
  put_bytes(frame, F::kThingPositionFieldNumber, things.positions);
  put_bytes(frame, F::kThingRotationFieldNumber, things.rotations);
  put_bytes(frame, F::kThingJointFieldNumber, things.joints);
}

std::string as_message(const std::string& frame) {
  std::string message;
  message.reserve(frame.size() + 8);
  // Written even when empty: a frame without characters is a frame.
  put_tag(message, v1::ServerMessage::kFrameFieldNumber, WireType::kLength);
  put_varint(message, frame.size());
  return message.append(frame);
}

}  // namespace

const std::vector<bool>& lengths_of(const world::Roster& roster, int body) {
  static const std::vector<bool> none;
  return std::size_t(body) < roster.lengths.size() ? roster.lengths[std::size_t(body)] : none;
}

void ThingArrays::add(const world::Snapshot& snapshot, std::size_t index) {
  const world::ThingSnapshot& thing = snapshot.things[index];
  put_varint(things, index);
  put_position(positions, thing.root.position);
  put_fixed32(rotations, pack_rotation(thing.root.rotation));
  put_joints(joints, snapshot.thing_coordinates.data() + thing.first_coordinate,
             lengths_of(*snapshot.roster, snapshot.roster->things[index].body),
             coordinate_count(snapshot, index));
}

std::string FrameEncoder::encode(const world::Snapshot& snapshot, std::uint32_t viewers) {
  using F = v1::Frame;
  positions_.clear();
  rotations_.clear();
  joints_.clear();
  flags_.clear();
  limbs_.clear();
  presences_.clear();
  bool all_whole = true;
  things_.clear();
  for (const world::CharacterSnapshot& character : snapshot.characters) {
    put_position(positions_, character.root.position);
    put_fixed32(rotations_, pack_rotation(character.root.rotation));
    put_varint(flags_, character.flags);
    put_varint(limbs_, character.limb_contacts);
    put_varint(presences_, character.presence);
    all_whole = all_whole && character.presence == world::kWholePresence;
  }
  for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
    const std::size_t first = snapshot.characters[i].first_coordinate;
    const std::size_t end = i + 1 < snapshot.characters.size()
                                ? snapshot.characters[i + 1].first_coordinate
                                : snapshot.coordinates.size();
    put_joints(joints_, snapshot.coordinates.data() + first,
               lengths_of(*snapshot.roster, snapshot.roster->entries[i].body), end - first);
  }
  for (std::size_t i = 0; i < snapshot.things.size(); ++i) {
    if (!snapshot.things[i].asleep) things_.add(snapshot, i);
  }

  frame_.clear();
  put_moment(frame_, snapshot);
  put_bytes(frame_, F::kRootPositionFieldNumber, positions_);
  put_bytes(frame_, F::kRootRotationFieldNumber, rotations_);
  put_bytes(frame_, F::kJointFieldNumber, joints_);
  put_bytes(frame_, F::kFlagsFieldNumber, flags_);
  put_room(frame_, snapshot, viewers);
  put_things(frame_, things_);
  if (limbs_.find_first_not_of('\0') != limbs_.npos) {
    put_bytes(frame_, F::kLimbContactsFieldNumber, limbs_);
  }
  if (!all_whole) put_bytes(frame_, F::kPresenceFieldNumber, presences_);
  return as_message(frame_);
}

std::string coded_frame(const world::Snapshot& snapshot, std::uint32_t viewers,
                        std::uint64_t dropped, std::string_view coded) {
  ThingArrays things;
  for (std::size_t i = 0; i < snapshot.things.size(); ++i) {
    if (!snapshot.things[i].asleep) things.add(snapshot, i);
  }
  std::string frame;
  put_moment(frame, snapshot);
  put_room(frame, snapshot, viewers);
  put_things(frame, things);
  put_uint(frame, v1::Frame::kDroppedFieldNumber, std::min<std::uint64_t>(dropped, UINT32_MAX));
  put_bytes(frame, v1::Frame::kCodedFieldNumber, coded);
  return as_message(frame);
}

std::string encode_rest(const world::Snapshot& snapshot, std::uint64_t since) {
  using R = v1::Rest;
  ThingArrays resting;
  for (std::size_t i = 0; i < snapshot.things.size(); ++i) {
    const world::ThingSnapshot& thing = snapshot.things[i];
    if (thing.asleep && thing.slept_at > since) resting.add(snapshot, i);
  }
  if (resting.things.empty()) return {};
  std::string rest, message;
  put_uint(rest, R::kTickFieldNumber, snapshot.tick);
  put_uint(rest, R::kRosterVersionFieldNumber, snapshot.roster->version);
  put_bytes(rest, R::kThingFieldNumber, resting.things);
  put_bytes(rest, R::kPositionFieldNumber, resting.positions);
  put_bytes(rest, R::kRotationFieldNumber, resting.rotations);
  put_bytes(rest, R::kJointFieldNumber, resting.joints);
  put_bytes(message, v1::ServerMessage::kRestFieldNumber, rest);
  return message;
}

std::string frame_tail(std::uint64_t dropped) {
  std::string piece, tail;
  put_uint(piece, v1::Frame::kDroppedFieldNumber, std::min<std::uint64_t>(dropped, UINT32_MAX));
  put_bytes(tail, v1::ServerMessage::kFrameFieldNumber, piece);
  return tail;
}

}  // namespace promenade::stream
