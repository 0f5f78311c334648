#include "search/walking/figures.h"

#include <algorithm>
#include <cmath>

namespace promenade::search {
namespace {

using Run = RunResult;

constexpr unsigned kOfWalk = static_cast<unsigned>(TrialKind::kWalk);
constexpr unsigned kOfPush = static_cast<unsigned>(TrialKind::kPush);
constexpr unsigned kOfBoth = kOfWalk | kOfPush;

// `count` of the steps, as a share of them.
double share_of_steps(const Run& run, int count) {
  return double(count) / std::max(1, run.quality().steps);
}

// Distance of a curve to that of people at the speed asked for, in their standard deviations.
double distance(const Run& run, trial::CycleSignal signal) {
  return trial::distance_in_deviations(run.walk->gait.of(signal),
                                       run.people->band(signal, run.asked.x(), run.leg_length));
}

// Over the value of people at the speed asked for, less 1.
double off_people(const Run& run, double value, double (*of_people)(double)) {
  return value / of_people(std::max(0.1, run.asked.x())) - 1;
}

// name, unit, meaning, kinds of trial, whether of the looks, whether of fallen runs too, value
constexpr Figure kFigures[] = {
    // Whether the walker obeys.
    {"survived", "", "1 if it stayed up, else 0", kOfBoth, false, true,
     [](const Run& run) { return run.up ? 1.0 : 0.0; }},
    {"share", "", "of its time that it was up", kOfBoth, false, true,
     [](const Run& run) { return run.share; }},
    {"recovered", "", "1 if it does as asked over the last 3 s, else 0", kOfBoth, false, true,
     [](const Run& run) {
       return (run.walk ? run.walk->recovered : run.push->recovered) ? 1.0 : 0.0;
     }},
    {"made_way", "", "1 if at most 0.15 m/s too slow over all its way, else 0", kOfWalk, false,
     true, [](const Run& run) { return run.walk->made_way ? 1.0 : 0.0; }},
    {"speed", "m/s", "mean forward velocity", kOfWalk, false, false,
     [](const Run& run) { return run.walk->velocity.x(); }},
    {"sideways_speed", "m/s", "mean velocity to the left", kOfWalk, false, false,
     [](const Run& run) { return run.walk->velocity.y(); }},
    {"speed_error", "m/s", "mean velocity less the one asked for, its length", kOfWalk, false,
     false, [](const Run& run) { return (run.walk->velocity - run.asked).norm(); }},
    {"heading_error", "rad", "from the heading asked for, at most", kOfWalk, false, false,
     [](const Run& run) { return run.walk->heading_error; }},
    {"step_time", "s", "mean time of a step", kOfWalk, false, false,
     [](const Run& run) { return run.walk->step_time; }},
    // Figures of the time after a push.
    {"drift", "m", "of the centre of mass aside, either way", kOfPush, false, false,
     [](const Run& run) { return std::abs(run.push->drift); }},
    {"push_steps", "", "steps after the push began", kOfPush, false, false,
     [](const Run& run) { return double(run.push->steps); }},
    {"quiet", "", "1 if it stands at the end without a step for 2 s, else 0", kOfPush, false, true,
     [](const Run& run) { return run.push->quiet ? 1.0 : 0.0; }},
    // Steps.
    {"steps", "", "whole steps that were observed", kOfBoth, true, false,
     [](const Run& run) { return double(run.quality().steps); }},
    {"slip", "m", "of a foot while it carries, mean over the steps", kOfBoth, true, false,
     [](const Run& run) { return run.quality().slip; }},
    {"worst_slip", "m", "the same of one step, at most", kOfBoth, true, false,
     [](const Run& run) { return run.quality().worst_slip; }},
    {"stubs", "", "share of steps whose swing foot touched the ground on its way", kOfBoth, true,
     false, [](const Run& run) { return share_of_steps(run, run.quality().stubs); }},
    {"through", "", "share of steps whose swing leg went through the other", kOfBoth, true, false,
     [](const Run& run) { return share_of_steps(run, run.quality().through); }},
    {"deepest_through", "m", "overlap of the legs, at most", kOfBoth, true, false,
     [](const Run& run) { return run.quality().deepest_through; }},
    {"past_straight", "rad", "by how much a knee bent the wrong way, at most", kOfBoth, true, false,
     [](const Run& run) { return run.quality().past_straight; }},
    {"peak_torque", "N m", "about one axis of one joint", kOfBoth, true, false,
     [](const Run& run) { return run.quality().peak_torque; }},
    {"mean_torque", "N m", "sum over the joints, mean over time", kOfBoth, true, false,
     [](const Run& run) { return run.quality().mean_torque; }},
    {"cost_of_transport", "", "mechanical work over weight and way", kOfBoth, true, false,
     [](const Run& run) { return run.quality().cost_of_transport; }},
    // The look of the walk.
    {"strike_pitch", "rad", "of the foot when it touches, toes up positive", kOfBoth, true, false,
     [](const Run& run) { return run.quality().strike_pitch; }},
    {"clearance", "m", "of the swing ankle above its height in standing, greatest", kOfBoth, true,
     false, [](const Run& run) { return run.quality().clearance; }},
    {"swing_knee", "rad", "bend of the swing knee, greatest", kOfBoth, true, false,
     [](const Run& run) { return run.quality().swing_knee; }},
    {"stance_knee", "rad", "bend of the stance knee in mid stance", kOfBoth, true, false,
     [](const Run& run) { return run.quality().stance_knee; }},
    {"arm_swing", "rad", "of a shoulder from hindmost to foremost", kOfBoth, true, false,
     [](const Run& run) { return run.quality().arm_swing; }},
    {"arm_against_leg", "", "correlation of an arm with the leg on its side; -1 against it",
     kOfBoth, true, false, [](const Run& run) { return run.quality().arm_against_leg; }},
    {"jitter", "rad/s", "angular velocity of the links above 6 Hz", kOfBoth, true, false,
     [](const Run& run) { return run.quality().jitter; }},
    // Figures of the gait cycle.
    {"cadence", "1/min", "steps a minute", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.cadence; }, true},
    {"step_length", "m", "between the ankles along the way, at foot-strike", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.step_length; }, true},
    {"limp", "", "by which steps of the two feet differ in length, over their mean", kOfWalk, false,
     false, [](const Run& run) { return run.walk->gait.limp; }, true},
    {"double_support", "%", "part of the cycle with both feet on the ground", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.double_support; }, true},
    {"first_peak", "weights", "vertical force of a foot that takes the load, of the mean curve",
     kOfWalk, false, false, [](const Run& run) { return run.walk->gait.first_peak; }, true},
    {"second_peak", "weights", "vertical force in push-off, mean curve", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.second_peak; }, true},
    {"highest_force", "weights", "greatest vertical force of 10 ms on a foot", kOfWalk, false,
     false, [](const Run& run) { return run.walk->gait.highest_force; }, true},
    {"knee_at_strike", "deg", "bend of the knee at foot-strike", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.knee_at_strike; }, true},
    {"push_off_angle", "deg", "least angle of the ankle about toe-off; toes down is negative",
     kOfWalk, false, false, [](const Run& run) { return run.walk->gait.push_off; }, true},
    {"heel_first", "", "share of strikes with the toes up by 5 degrees", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.heel_first; }, true},
    {"toe_last", "", "share of lifts with the heel up by 15 degrees", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.toe_last; }, true},
    {"sole_clearance", "m", "least height of the sole in mid swing", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.clearance; }, true},
    {"hip_torque", "N m", "greatest of a hip about one axis", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.hip_torque; }, true},
    {"knee_torque", "N m", "greatest of a knee", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.knee_torque; }, true},
    {"com_rise", "m", "range of the height of the COM", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.com_rise; }, true},
    {"ankle_torque", "N m", "greatest of an ankle about one axis", kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.ankle_torque; }, true},
    // Compared with people at the speed asked for (data/reference/walk.json).
    {"cadence_off", "", "cadence over that of people, less 1", kOfWalk, false, false,
     [](const Run& run) {
       return off_people(run, run.walk->gait.cadence, trial::GaitReference::cadence);
     },
     true},
    {"step_length_off", "", "step length over that of people, less 1", kOfWalk, false, false,
     [](const Run& run) {
       return off_people(run, run.walk->gait.step_length, trial::GaitReference::step_length);
     },
     true},
    {"hip_distance", "",
     "of the hip's curve to people's, in their standard deviations, root mean square", kOfWalk,
     false, false, [](const Run& run) { return distance(run, trial::CycleSignal::kHip); }, true},
    {"knee_distance", "", "as hip_distance, of the knee", kOfWalk, false, false,
     [](const Run& run) { return distance(run, trial::CycleSignal::kKnee); }, true},
    {"ankle_distance", "", "as hip_distance, of the ankle", kOfWalk, false, false,
     [](const Run& run) { return distance(run, trial::CycleSignal::kAnkle); }, true},
    {"list_distance", "", "as hip_distance, of the pelvis' list", kOfWalk, false, false,
     [](const Run& run) { return distance(run, trial::CycleSignal::kPelvisList); }, true},
    {"rotation_distance", "", "as hip_distance, of the pelvis' rotation", kOfWalk, false, false,
     [](const Run& run) { return distance(run, trial::CycleSignal::kPelvisRotation); }, true},
    {"force_distance", "", "as hip_distance, of the vertical force", kOfWalk, false, false,
     [](const Run& run) { return distance(run, trial::CycleSignal::kVerticalForce); }, true},
    {"foot_pitch_at_strike", "deg", "of the foot in the mean cycle's first point, toes up positive",
     kOfWalk, false, false,
     [](const Run& run) { return run.walk->gait.of(trial::CycleSignal::kFootPitch)[0]; }, true},
};

}  // namespace

std::span<const Figure> figures() { return kFigures; }

const Figure* find_figure(const std::string& name) {
  for (const Figure& figure : kFigures) {
    if (name == figure.name) return &figure;
  }
  return nullptr;
}

std::vector<std::string> figure_names(TrialKind kind) {
  std::vector<std::string> names;
  for (const Figure& figure : kFigures) {
    if (figure.has(kind)) names.emplace_back(figure.name);
  }
  return names;
}

}  // namespace promenade::search
