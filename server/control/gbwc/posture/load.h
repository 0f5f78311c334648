#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// 0 of who stands upright to 1 of who stoops far enough for the legs to share the weight as the
/// balance wants it.
double stooped_share(const Frame& f);
/// 0 with free hands to 1 with a load that counts in full.
double carried_share(const Frame& f);
/// 0 of who only stands to 1 of who stoops or carries.
double at_work(const Frame& f);
void feel_load(const Frame& f, const Goal& goal, double dt, LoadState& hands, LearntState& learnt);
/// Makes the centre of mass, its velocity and the mass those of the body with its load.
/// Law:    c' = (M c + sum m_i p_i) / M' + h F / (M' g), M' = M + sum m_i; M and c the body's own
///         mass and centre, p_i the palms, m_i = W_i / g what they hold up, F the sum of the
///         horizontal forces on them, h their height over the ground. c' is the point that has to
///         be over the feet: the ground's force then balances weight, load and pull.
void take_load(Frame& f);
/// rad, by which the chest leans back with a load before it: the hips need not stay behind the feet
/// so far, and the spine has less to hold.
double load_lean(const Frame& f);
/// Factor on the damping of a joint of the trunk, whose servo would swing with a load.
/// Law:    sqrt((I + sum m_i r_i^2) / I), I the moment of what the joint carries of the body, about
///         the joint, m_i what the palms hold up and r_i their distances: the damping ratio stays
double load_damping(const Frame& f, int link);
/// The mass with what is carried, over the own.
double heavier(const Frame& f);
/// Share of the usual step time: who carries sways less in quick steps, but before and over
/// obstacles and stairs the feet have further to go.
double loaded_step_time(const Frame& f);
/// m, by which body and load together rest further ahead over the feet of who stoops. A load that
/// is set down leaves the body alone with its own mass behind its feet, the more so the closer to
/// the heels both rested.
double loaded_rest(const Frame& f);
/// Torques of arms and trunk for the forces that the hands are to exert.
void hold_up(const Frame& f, const Goal& goal);
/// The trunk answers to a load slowly.
void lean_on_load(const Frame& f, double dt, LoadState& hands);

}  // namespace promenade::control::gbwc
