#pragma once

#include <cstdint>

#include "behaviour/crowd/walkers.h"

// Crowds of discs under behaviour::crowd::Walkers, without bodies: each goes as it chooses 20 times
// a second, or with the lag of a walker's step.
namespace promenade::trial {

struct PedestrianOptions {
  std::uint64_t seed = 1;
  double lag = 0;        // s, of the answer: 0.25 is about a step's
  double radius = 0.25;  // m
  double seconds = 120;  // at most
};

/// The result of a run.
struct PedestrianRun {
  long overlaps = 0;     // pairs of discs that overlap, summed over steps
  double deepest = 0;    // m, of these
  double into_wall = 0;  // m, deepest overlap of a disc with a wall
  double through = 0;    // share of all who have got where they were going
  double last_s = 0;     // s, when the last of these did
  double speed = 0;      // m/s, mean along the way they want
  double flow = 0;       // people / (m s)
  double order = 0;      // of lanes, see run_lanes()
  double order_at_start = 0;
};

/// People on a circle, 0.6 m apart, each of whom goes to the opposite point.
PedestrianRun run_circle(int count, const PedestrianOptions& options);
/// Two streams of `each`, 5 m wide, 1 / m^2, that cross at right angles in the open.
PedestrianRun run_crossing(int each, const PedestrianOptions& options);
/// Two such streams that meet head on in a corridor 5 m wide.
PedestrianRun run_head_on(int each, const PedestrianOptions& options);
/// A crowd leaves a room by a door in a wall 0.4 m thick. Flow: between the first tenth and nine
/// tenths of them.
/// @param width  m, of the door
PedestrianRun run_door(int count, double width, const PedestrianOptions& options);
/// One direction on a square of 12 m whose opposite edges are one: mean speed over the second half.
/// Free speeds are normally distributed, 1.34 +- 0.26 m/s (Weidmann 1993), no further than 2 of
/// these from the mean.
/// @param density  people / m^2
PedestrianRun run_one_way(double density, const PedestrianOptions& options);
/// Two directions in a corridor of 30 x 5 m whose ends are one. Order: mean over all people of
///   ((s - o) / (s + o))^2, s and o those who go a person's way, itself included, and the other
///   way, no further than 0.375 m to a side, at any distance along the corridor; mean over the last
///   quarter of the time. 1: pure lanes.
/// Source: Rex and Loewen, "Lane formation in oppositely charged colloids driven by an electric
///   field", 2007, eq. 2
/// @param density  people / m^2, of both directions together
PedestrianRun run_lanes(double density, const PedestrianOptions& options);

}  // namespace promenade::trial
