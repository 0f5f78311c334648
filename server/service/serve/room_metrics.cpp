#include "service/serve/room_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace promenade::service {
namespace {

// "0.016667" and the like: a bucket's bound in seconds.
std::string bound_text(double microseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", microseconds * 1e-6);
  return text;
}

/// A room, as /metrics sees it.
struct Row {
  std::shared_ptr<RoomHost> room;
  std::string name;
  world::RunnerStats stats;
};
using Rows = std::vector<Row>;

/// A family with one sample for each room.
struct RoomFigure {
  const char* name;
  const char* type;
  const char* help;
  double (*value)(const Row& row);
};

constexpr RoomFigure kFigures[] = {
    {"promenade_ticks_total", "counter", "Ticks stepped.",
     [](const Row& r) { return static_cast<double>(r.stats.ticks); }},
    {"promenade_real_time_factor", "gauge",
     "Simulated over wall-clock seconds, about the last second.",
     [](const Row& r) { return r.stats.real_time_factor; }},
    {"promenade_tick_overruns_total", "counter",
     "Times wall-clock time was given up because ticks were late.",
     [](const Row& r) { return static_cast<double>(r.stats.overruns); }},
    {"promenade_characters", "gauge", "Characters in the room.",
     [](const Row& r) { return static_cast<double>(r.stats.characters); }},
    {"promenade_viewers", "gauge", "Viewers that have joined the room.",
     [](const Row& r) { return static_cast<double>(r.room->viewer_count()); }},
    {"promenade_paused", "gauge", "1 while the room's clock is stopped.",
     [](const Row& r) { return r.room->current()->snapshot().paused ? 1.0 : 0.0; }},
    {"promenade_asleep", "gauge", "1 while the room sleeps because nobody watches.",
     [](const Row& r) { return r.stats.asleep ? 1.0 : 0.0; }},
    {"promenade_load", "gauge", "Share of a tick's time that ticks take; see --max-load.",
     [](const Row& r) { return r.stats.load; }},
    {"promenade_command_queue_length", "gauge", "Commands waiting for the next tick.",
     [](const Row& r) { return static_cast<double>(r.stats.queue_length); }},
    {"promenade_journal_failing", "gauge",
     "1 while the room is not being recorded on the disk; the log says why.",
     [](const Row& r) { return r.stats.journal.failing ? 1.0 : 0.0; }},
    {"promenade_journal_state_failing", "gauge",
     "1 while the room's state cannot be written, for example on a full disk: a restart takes "
     "longer, nothing is lost.",
     [](const Row& r) { return r.stats.journal.state_failing ? 1.0 : 0.0; }},
    {"promenade_journal_lost_total", "counter", "Lines of the journal that were not written.",
     [](const Row& r) { return static_cast<double>(r.stats.journal.lost); }},
    {"promenade_journal_unsynced_seconds", "gauge",
     "Age of the oldest line that a power cut would lose.",
     [](const Row& r) { return r.stats.journal.unsynced_s; }},
    {"promenade_journal_segment", "gauge", "Number of the journal's newest segment; 0: none.",
     [](const Row& r) { return static_cast<double>(r.stats.journal.segment); }},
};
constexpr RoomFigure kPutOff = {
    "promenade_commands_put_off_total", "counter",
    "Commands that had to wait, as their visitor had used up --visitor-work.",
    [](const Row& r) { return static_cast<double>(r.stats.put_off); }};

void write_figure(net::MetricsWriter& out, const Rows& rows, const RoomFigure& figure) {
  out.family(figure.name, figure.type, figure.help);
  for (const Row& row : rows) out.sample({{"room", row.name}}, figure.value(row));
}

/// Rooms that run in processes of their own (--isolate).
void write_processes(net::MetricsWriter& out, const Rows& rows) {
  out.family("promenade_room_restarts_total", "counter",
             "Restarts of the room's process after unwanted ends, by cause (--isolate).");
  for (const Row& row : rows) {
    const world::ProcessFigures& p = row.stats.process;
    if (!p.own) continue;
    for (const auto& [cause, count] : {std::pair<const char*, std::uint64_t>{"crash", p.crashes},
                                       {"hang", p.hangs},
                                       {"memory", p.over_memory}}) {
      out.sample({{"room", row.name}, {"cause", cause}}, static_cast<double>(count));
    }
  }
  out.family("promenade_room_resident_memory_bytes", "gauge",
             "Resident memory of the room's process (--isolate).");
  for (const Row& row : rows) {
    const world::ProcessFigures& p = row.stats.process;
    if (p.own) out.sample({{"room", row.name}}, p.resident_bytes);
  }
  out.family("promenade_room_process_cpu_seconds_total", "counter",
             "CPU time of the room's process, user and system (--isolate).");
  for (const Row& row : rows) {
    const world::ProcessFigures& p = row.stats.process;
    if (p.own) out.sample({{"room", row.name}}, p.cpu_s);
  }
}

/// What the rooms' threads spend their time on.
void write_work(net::MetricsWriter& out, const Rows& rows) {
  out.family("promenade_room_cpu_seconds_total", "counter", "CPU time by what it was spent on.");
  for (const Row& row : rows) {
    const world::RunnerStats& s = row.stats;
    for (const auto& [part, seconds] : {std::pair<const char*, double>{"behaviour", s.behaviour_s},
                                        {"control", s.control_s},
                                        {"physics", s.physics_s},
                                        {"snapshot", s.snapshot_s}}) {
      out.sample({{"room", row.name}, {"part", part}}, seconds);
    }
  }
  out.family("promenade_room_work_seconds_total", "counter",
             "CPU time that commands took: of the room's thread (tick), and beside it (beside).");
  for (const Row& row : rows) {
    out.sample({{"room", row.name}, {"where", "tick"}}, row.stats.commands_s);
    out.sample({{"room", row.name}, {"where", "beside"}}, row.stats.beside_s);
  }
}

void write_tick_times(net::MetricsWriter& out, const Rows& rows) {
  out.family("promenade_tick_seconds", "histogram", "Wall-clock time of a tick.");
  for (const Row& row : rows) {
    const world::TickHistogram& h = row.stats.tick_time;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < h.kUpperBounds.size(); ++i) {
      below += h.counts[i];
      out.sample({{"room", row.name}, {"le", bound_text(h.kUpperBounds[i])}},
                 static_cast<double>(below), "_bucket");
    }
    out.sample({{"room", row.name}, {"le", "+Inf"}}, static_cast<double>(h.total), "_bucket");
    out.sample({{"room", row.name}}, h.sum_us * 1e-6, "_sum");
    out.sample({{"room", row.name}}, static_cast<double>(h.total), "_count");
  }
  out.family("promenade_tick_quantile_seconds", "gauge",
             "Upper bound of the histogram's bucket that holds the quantile.");
  for (const Row& row : rows) {
    for (const double q : {0.5, 0.9, 0.99}) {
      char text[24];
      std::snprintf(text, sizeof text, "%g", q);
      out.sample({{"room", row.name}, {"quantile", text}}, row.stats.tick_time.quantile(q) * 1e-6);
    }
  }
}

void write_rooms(net::MetricsWriter& out, const Rooms& rooms) {
  Rows rows;
  for (const auto& room : rooms.all())
    rows.push_back({room, Rooms::name_for(*room, out.all()), room->stats()});
  for (const RoomFigure& figure : kFigures) write_figure(out, rows, figure);
  write_processes(out, rows);
  write_work(out, rows);
  write_figure(out, rows, kPutOff);
  write_tick_times(out, rows);
}

}  // namespace

void export_rooms(net::Metrics& metrics, const Rooms& rooms) {
  metrics.collect([&rooms](net::MetricsWriter& out) { write_rooms(out, rooms); });
}

void export_visitors(net::Metrics& metrics, const People& people, const Rooms& rooms) {
  metrics.collect([&people, &rooms](net::MetricsWriter& out) {
    out.family("promenade_visitors", "gauge", "Visitors that watch the room, by role.");
    for (const auto& room : rooms.all()) {
      const auto counts = people.count_by_role(*room);
      const std::string name = Rooms::name_for(*room, out.all());
      for (const api::Role role :
           {api::Role::kViewer, api::Role::kPlayer, api::Role::kOperator, api::Role::kAdmin}) {
        const auto found = counts.find(role);
        out.sample({{"room", name}, {"role", api::role_name(role)}},
                   found == counts.end() ? 0.0 : static_cast<double>(found->second));
      }
    }
  });
}

void export_store(net::Metrics& metrics, const SavedDefinitions& saved) {
  metrics.collect([&saved](net::MetricsWriter& out) {
    const SavedDefinitions::Figures figures = saved.figures();
    out.family("promenade_store_bytes", "gauge", "In use in the store; see --max-store.");
    out.sample({}, static_cast<double>(figures.bytes));
    out.family("promenade_store_closed", "gauge",
               "1 while nothing can be saved, as there is no room on the disk.");
    out.sample({}, saved.closed().empty() ? 0 : 1);
    out.family("promenade_store_waiting", "gauge", "Jobs waiting for the store.");
    out.sample({}, static_cast<double>(figures.waiting));
  });
}

void export_process(net::Metrics& metrics) {
  metrics.collect([](net::MetricsWriter& out) {
    std::ifstream statm("/proc/self/statm");
    double pages = 0, resident = 0;
    statm >> pages >> resident;
    out.family("process_resident_memory_bytes", "gauge", "Resident memory.");
    out.sample({}, resident * static_cast<double>(sysconf(_SC_PAGESIZE)));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    out.family("process_cpu_seconds_total", "counter", "CPU time, user and system.");
    out.sample({}, seconds(usage.ru_utime) + seconds(usage.ru_stime));
    std::error_code ignored;
    double files = 0;
    for (auto it = std::filesystem::directory_iterator("/proc/self/fd", ignored);
         it != std::filesystem::directory_iterator(); it.increment(ignored)) {
      ++files;
    }
    out.family("process_open_fds", "gauge", "Open file descriptors.");
    out.sample({}, files);
  });
}

}  // namespace promenade::service
