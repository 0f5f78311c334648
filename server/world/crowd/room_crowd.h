#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "behaviour/crowd/walkers.h"
#include "behaviour/flow/flow.h"
#include "math/state.h"
#include "world/crowd/flow_figures.h"
#include "world/scene/scene.h"

namespace promenade::world {

/// The crowd of a room besides its characters: the discs that avoid each other, and the flow of
/// people who come and go. room_crowd.cpp runs it.
struct RoomCrowd {
  /// @param seed  of the room
  /// @param tick  s, of the room
  void load(const Scene& scene, std::uint64_t seed, double tick);
  /// Another flow in place of the one there is. Its people stay where they are and go on.
  /// @param seed  of the room
  /// @param at    tick at which it took effect
  void replace(SceneFlow next, std::uint64_t seed, std::uint64_t at);
  /// Brings the figures that are of now up to date. @pre there is a flow
  void count();

  std::uint64_t period = 3;  // ticks from one decision to the next
  behaviour::crowd::Walkers walkers{behaviour::crowd::AvoidanceLaw{}};
  std::vector<behaviour::crowd::Vec2f> chosen;  // [discs] m/s
  /// Null where the scene has none. Its routes are the room's own, as only one thread may ask them.
  std::unique_ptr<behaviour::route::Routes> routes;
  std::unique_ptr<behaviour::flow::Flow> flow;
  SceneFlow given;          // the flow was made of it; without a plan: there is none
  bool replaced = false;    // by a command: `given` is not the scene's
  std::uint64_t since = 0;  // tick at which it was
  FlowFigures figures;

  /// The characters that are people of the flow, by their numbers there, and where they are.
  struct Visitor {
    behaviour::flow::PersonId person;
    std::uint32_t entity;  // its index
  };
  std::vector<Visitor> visitors;
  std::vector<Vec2> places;  // of Flow::people(), in their order

  std::uint64_t digest() const;
  void write(StateVisitor::Buffer& out) const;
  /// @return what is wrong with the words; empty: nothing
  template <typename Words>
  std::string read(const Words& words) {
    return read_words({words.data(), std::size_t(words.size())});
  }

 private:
  void set_walls(std::span<const behaviour::Obstacle> obstacles);
  void begin(SceneFlow next, std::uint64_t seed);
  std::string read_words(std::span<const std::uint64_t> words);
  std::uint64_t given_digest_ = 0;  // of a flow that a command has set
};

}  // namespace promenade::world
