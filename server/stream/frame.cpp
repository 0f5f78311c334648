#include "stream/frame.h"

#include <algorithm>

#include "promenade/v1/wire.pb.h"
#include "stream/quantize.h"
#include "stream/wire_writer.h"

namespace promenade::stream {

std::string FrameEncoder::encode(const world::Snapshot& snapshot, std::uint32_t viewers) {
  using F = v1::Frame;
  positions_.clear();
  rotations_.clear();
  joints_.clear();
  flags_.clear();
  for (const world::CharacterSnapshot& character : snapshot.characters) {
    for (int axis = 0; axis < 3; ++axis) {
      put_varint(positions_, zigzag(quantize(character.root.position[axis], kPositionUnit)));
    }
    put_fixed32(rotations_, pack_rotation(character.root.rotation));
    put_varint(flags_, character.flags);
  }
  for (const float coordinate : snapshot.coordinates) {
    put_varint(joints_, zigzag(quantize(coordinate, kAngleUnit)));
  }

  frame_.clear();
  put_uint(frame_, F::kTickFieldNumber, snapshot.tick);
  put_uint(frame_, F::kServerTimeUsFieldNumber, snapshot.server_time_us);
  put_float(frame_, F::kRealTimeFactorFieldNumber, static_cast<float>(snapshot.real_time_factor));
  put_uint(frame_, F::kRosterVersionFieldNumber, snapshot.roster->version);
  put_bytes(frame_, F::kRootPositionFieldNumber, positions_);
  put_bytes(frame_, F::kRootRotationFieldNumber, rotations_);
  put_bytes(frame_, F::kJointFieldNumber, joints_);
  put_bytes(frame_, F::kFlagsFieldNumber, flags_);
  put_uint(frame_, F::kPausedFieldNumber, snapshot.paused ? 1 : 0);
  put_float(frame_, F::kTimeScaleFieldNumber, static_cast<float>(snapshot.time_scale));
  put_uint(frame_, F::kViewersFieldNumber, viewers);

  std::string message;
  message.reserve(frame_.size() + 8);
  // Written even when empty: a frame without characters is a frame.
  put_tag(message, v1::ServerMessage::kFrameFieldNumber, WireType::kLength);
  put_varint(message, frame_.size());
  return message.append(frame_);
}

std::string frame_tail(std::uint64_t dropped) {
  std::string piece, tail;
  put_uint(piece, v1::Frame::kDroppedFieldNumber, std::min<std::uint64_t>(dropped, UINT32_MAX));
  put_bytes(tail, v1::ServerMessage::kFrameFieldNumber, piece);
  return tail;
}

}  // namespace promenade::stream
