#pragma once

#include <cstdint>

#include "isolation/process_files.h"
#include "promenade/v1/isolation.pb.h"
#include "world/run/runner.h"

// Between the messages of isolation.proto and the values of world/run/runner.h.
namespace promenade::isolation {

v1::RoomProcessSetup encode_setup(const world::RunnerSettings& settings, const ProcessFiles& files,
                                  std::uint64_t data_digest);
/// All settings but JournalSettings::tell.
world::RunnerSettings decode_setup(const v1::RoomProcessSetup& setup);

v1::RoomAnswer encode_result(std::uint64_t order, const world::CommandResult& result);
world::CommandResult decode_result(const v1::RoomAnswer& answer);

v1::RoomOnlookers encode_onlookers(const world::Onlookers& onlookers);
/// Onlookers at everybody, if a message is malformed: nobody is shown worse for it.
world::Onlookers decode_onlookers(const v1::RoomOnlookers& message);

v1::RoomHappening encode_event(const world::RoomEvent& event);
world::RoomEvent decode_event(const v1::RoomHappening& event);

v1::RoomFigures encode_figures(const world::RunnerStats& stats, std::uint64_t turns, double cpu_s);
/// Writes the figures that a process knows of itself; the rest stays.
void decode_figures(const v1::RoomFigures& figures, world::RunnerStats& stats);

}  // namespace promenade::isolation
