#include "isolation/message_codec.h"

#include <algorithm>

namespace promenade::isolation {

v1::RoomProcessSetup encode_setup(const world::RunnerSettings& settings, const ProcessFiles& files,
                                  std::uint64_t data_digest) {
  v1::RoomProcessSetup out;
  out.set_data_dir(files.data_dir.string());
  for (const auto& directory : files.gaits_ready) out.add_gaits_ready(directory.string());
  out.set_gaits_kept(files.gaits_kept.string());
  out.set_data_digest(data_digest);
  out.set_scene(settings.room.scene);
  out.set_seed(settings.room.seed);
  out.set_threads(static_cast<std::uint32_t>(settings.room.threads));
  out.set_substeps(static_cast<std::uint32_t>(settings.room.substeps));
  out.set_ticks_per_second(static_cast<std::uint32_t>(settings.room.ticks_per_second));
  out.set_max_characters(static_cast<std::uint32_t>(settings.room.max_characters));
  out.set_max_definition_bytes(settings.room.max_definition_bytes);
  out.set_queue_capacity(settings.queue_capacity);
  out.set_snapshot_hz(settings.snapshot_hz);
  out.set_many(settings.many);
  out.set_start_paused(settings.start_paused);
  out.set_max_load(settings.max_load);
  out.set_sleep_after_s(settings.sleep_after);
  out.set_visitor_work(settings.visitor_work);
  out.set_journal_dir(settings.journal.directory.string());
  out.set_journal_room(settings.journal.room);
  out.set_journal_segment_bytes(settings.journal.segment_bytes);
  out.set_journal_total_bytes(settings.journal.total_bytes);
  return out;
}

world::RunnerSettings decode_setup(const v1::RoomProcessSetup& setup) {
  world::RunnerSettings out;
  out.room.scene = setup.scene();
  out.room.seed = setup.seed();
  out.room.threads = static_cast<int>(setup.threads());
  out.room.substeps = static_cast<int>(setup.substeps());
  out.room.ticks_per_second = static_cast<int>(setup.ticks_per_second());
  out.room.max_characters = static_cast<int>(setup.max_characters());
  out.room.max_definition_bytes = setup.max_definition_bytes();
  out.queue_capacity = setup.queue_capacity();
  out.snapshot_hz = setup.snapshot_hz();
  out.many = setup.many();
  out.start_paused = setup.start_paused();
  out.max_load = setup.max_load();
  out.sleep_after = setup.sleep_after_s();
  out.visitor_work = setup.visitor_work();
  out.journal.directory = setup.journal_dir();
  out.journal.room = setup.journal_room();
  out.journal.segment_bytes = setup.journal_segment_bytes();
  out.journal.total_bytes = setup.journal_total_bytes();
  return out;
}

v1::RoomOnlookers encode_onlookers(const world::Onlookers& onlookers) {
  v1::RoomOnlookers out;
  out.set_all(onlookers.all);
  for (const world::Eye& eye : onlookers.eyes) {
    auto* to = out.add_eyes();
    to->mutable_place_m()->Add(eye.place.begin(), eye.place.end());
    to->mutable_forward()->Add(eye.forward.begin(), eye.forward.end());
    to->set_cosine(eye.cosine);
    to->set_range_m(eye.range);
  }
  out.mutable_chosen()->Add(onlookers.chosen.begin(), onlookers.chosen.end());
  return out;
}

world::Onlookers decode_onlookers(const v1::RoomOnlookers& message) {
  world::Onlookers out;
  out.all = message.all();
  for (const auto& eye : message.eyes()) {
    if (eye.place_m_size() != 3 || eye.forward_size() != 3) return {};
    out.eyes.push_back(
        {Vec3(eye.place_m().data()), Vec3(eye.forward().data()), eye.cosine(), eye.range_m()});
  }
  out.chosen.assign(message.chosen().begin(), message.chosen().end());
  return out;
}

v1::RoomAnswer encode_result(std::uint64_t order, const world::CommandResult& result) {
  v1::RoomAnswer out;
  out.set_number(order);
  out.set_tick(result.tick);
  out.set_character(result.character);
  out.set_tie(result.tie);
  out.set_before(result.before);
  out.set_after(result.after);
  if (!result.error) return out;
  out.set_refused(true);
  out.set_code(static_cast<std::uint32_t>(result.error->code));
  out.set_field(result.error->field);
  out.set_value(result.error->value);
  out.set_allowed(result.error->allowed);
  out.set_message(result.error->message);
  return out;
}

world::CommandResult decode_result(const v1::RoomAnswer& answer) {
  world::CommandResult out;
  out.tick = answer.tick();
  out.character = answer.character();
  out.tie = answer.tie();
  out.before = answer.before();
  out.after = answer.after();
  if (answer.refused()) {
    const auto last = static_cast<std::uint32_t>(world::CommandError::Code::kConflict);
    out.error = world::CommandError{
        answer.code() <= last ? static_cast<world::CommandError::Code>(answer.code())
                              : world::CommandError::Code::kInternal,
        answer.field(), answer.value(), answer.allowed(), answer.message()};
  }
  return out;
}

v1::RoomHappening encode_event(const world::RoomEvent& event) {
  v1::RoomHappening out;
  out.set_tick(event.tick);
  out.set_character(event.character);
  out.set_kind(static_cast<std::uint32_t>(event.kind));
  out.set_text(event.text);
  return out;
}

world::RoomEvent decode_event(const v1::RoomHappening& event) {
  constexpr auto kLast = static_cast<std::uint32_t>(world::RoomEvent::Kind::kNotice);
  return {event.tick(), event.character(),
          static_cast<world::RoomEvent::Kind>(std::min(event.kind(), kLast)), event.text()};
}

v1::RoomFigures encode_figures(const world::RunnerStats& stats, std::uint64_t turns, double cpu_s) {
  v1::RoomFigures out;
  out.set_turns(turns);
  out.set_ticks(stats.ticks);
  out.set_real_time_factor(stats.real_time_factor);
  out.set_overruns(stats.overruns);
  out.set_commands_applied(stats.commands_applied);
  out.set_commands_refused(stats.commands_refused);
  out.set_journal_failing(stats.journal.failing);
  out.set_journal_lost(stats.journal.lost);
  out.set_journal_unsynced_s(stats.journal.unsynced_s);
  out.set_journal_segment(stats.journal.segment);
  out.set_journal_state_failing(stats.journal.state_failing);
  out.set_characters(stats.characters);
  out.set_asleep(stats.asleep);
  out.set_load(stats.load);
  out.set_behind_s(stats.behind);
  out.set_control_s(stats.control_s);
  out.set_physics_s(stats.physics_s);
  out.set_behaviour_s(stats.behaviour_s);
  out.set_snapshot_s(stats.snapshot_s);
  out.set_beside_s(stats.beside_s);
  out.set_commands_s(stats.commands_s);
  out.set_put_off(stats.put_off);
  out.set_held(stats.held);
  out.mutable_tick_counts()->Add(stats.tick_time.counts.begin(), stats.tick_time.counts.end());
  out.set_tick_sum_us(stats.tick_time.sum_us);
  out.set_cpu_s(cpu_s);
  return out;
}

void decode_figures(const v1::RoomFigures& figures, world::RunnerStats& stats) {
  stats.ticks = figures.ticks();
  stats.real_time_factor = figures.real_time_factor();
  stats.overruns = figures.overruns();
  stats.commands_applied = figures.commands_applied();
  stats.commands_refused = figures.commands_refused();
  stats.journal = {figures.journal_failing(), figures.journal_lost(), figures.journal_unsynced_s(),
                   figures.journal_segment(), figures.journal_state_failing()};
  stats.characters = figures.characters();
  stats.asleep = figures.asleep();
  stats.load = figures.load();
  stats.behind = figures.behind_s();
  stats.control_s = figures.control_s();
  stats.physics_s = figures.physics_s();
  stats.behaviour_s = figures.behaviour_s();
  stats.snapshot_s = figures.snapshot_s();
  stats.beside_s = figures.beside_s();
  stats.commands_s = figures.commands_s();
  stats.put_off = figures.put_off();
  stats.held = figures.held();
  world::TickHistogram& histogram = stats.tick_time;
  histogram = {};
  const auto buckets = std::min<std::size_t>(histogram.counts.size(),
                                             static_cast<std::size_t>(figures.tick_counts_size()));
  for (std::size_t i = 0; i < buckets; ++i) {
    histogram.counts[i] = figures.tick_counts(static_cast<int>(i));
    histogram.total += histogram.counts[i];
  }
  histogram.sum_us = figures.tick_sum_us();
  stats.process.cpu_s = figures.cpu_s();
}

}  // namespace promenade::isolation
