#include <cstdio>
#include <stdexcept>

#include "app/bench_rig.h"
#include "app/commands.h"
#include "app/progress_bar.h"
#include "app/report_table.h"
#include "synthesis/parallel.h"

namespace promenade::app {
namespace {

constexpr int kCounts[] = {1, 10, 50, 100, 200, 500};
constexpr double kBytesAsked = 64;  // of a character in a frame, at most

struct Options {
  bool json = false;
  bool quick = false;
  int threads = 0;
};

int complain(const std::string& message) {
  std::fprintf(stderr, "promenade bench: %s\n", message.c_str());
  return 1;
}

// A figure that nothing is asked of: it is there to be read and compared.
ReportRow measured(std::string id, std::string claim, double got, std::string unit) {
  return {std::move(id), std::move(claim), "", std::string("measured"), got, std::move(unit), true};
}

void add_square(std::vector<ReportRow>& rows, const BenchFigures& square) {
  rows.push_back({"square-real-time",
                  formatted("square, %d characters, %d threads, one viewer at 30 Hz",
                            square.characters, square.threads),
                  "16 dancers, 10 times slower than real time (Coros2010)", 1.0,
                  square.real_time_factor(), "x real time", square.real_time_factor() >= 1});
  rows.push_back({"bytes-character-frame", "square, mean of a frame over its characters", "",
                  kBytesAsked, square.bytes_per_character_frame, "B",
                  square.bytes_per_character_frame <= kBytesAsked});
  rows.push_back(measured("characters-a-core", "square, all parts together, in real time",
                          square.characters_a_core(), "characters"));
  rows.push_back(
      measured("tick-p50", "square, wall clock of a tick of 1/60 s", square.tick_p50, "ms"));
  rows.push_back(
      measured("tick-p99", "square, wall clock of a tick of 1/60 s", square.tick_p99, "ms"));
  const struct {
    const char* name;
    double seconds;
  } parts[] = {{"behaviour", square.behaviour},
               {"control", square.control},
               {"physics", square.physics},
               {"snapshot", square.snapshot},
               {"encode", square.encode}};
  for (const auto& part : parts) {
    rows.push_back(measured(std::string("cpu-") + part.name,
                            formatted("square, CPU a character-second; %.0f %% of all",
                                      100 * square.share(part.seconds)),
                            square.us_a_character_second(part.seconds), "us"));
  }
}

int bench(std::shared_ptr<const Library> library, const Options& options) {
  const int threads = options.threads > 0 ? options.threads : synthesis::core_count();
  const double seconds = options.quick ? 3 : 20, wall = options.quick ? 2 : 10;
  std::vector<ReportRow> rows;
  TextTable table({"characters", "threads", "x real time", "a core", "p50 ms", "p99 ms",
                   "control %", "physics %", "snapshot %", "encode %", "B/char-frame", "falls"});
  const auto line = [&](const BenchFigures& f) {
    table.add(
        {formatted("%d", f.characters), formatted("%d", f.threads),
         formatted("%.2f", f.real_time_factor()), formatted("%.0f", f.characters_a_core()),
         formatted("%.2f", f.tick_p50), formatted("%.2f", f.tick_p99),
         formatted("%.0f", 100 * f.share(f.control)), formatted("%.0f", 100 * f.share(f.physics)),
         formatted("%.1f", 100 * f.share(f.snapshot)), formatted("%.1f", 100 * f.share(f.encode)),
         formatted("%.1f", f.bytes_per_character_frame), formatted("%d", f.falls)});
  };
  {
    ProgressBar bar("bench", false);
    double done = 0;
    constexpr double kAll = std::size(kCounts) + 1;
    bar.show(done++, kAll, "square");
    BenchRig square(library, "square", threads);
    square.warm_up(2);
    const BenchFigures figures = square.measure(seconds, 2 * wall);
    add_square(rows, figures);
    line(figures);
    for (const int count : kCounts) {
      bar.show(done++, kAll, formatted("%d characters", count));
      BenchRig rig = BenchRig::crowd(library, count, threads);
      rig.warm_up(1);
      const BenchFigures crowd = rig.measure(seconds, wall);
      line(crowd);
      rows.push_back(measured(formatted("crowd-%d", count),
                              formatted("%d strolling on level ground, %d threads", count, threads),
                              crowd.real_time_factor(), "x real time"));
    }
  }
  if (options.json) {
    std::fputs(rows_as_json(rows).c_str(), stdout);
  } else {
    std::printf("%s\n\n%s\nThe square, then crowds:\n%s", machine_name().c_str(),
                rows_as_text(rows).c_str(), table.text().c_str());
  }
  return all_hold(rows) ? 0 : 1;
}

}  // namespace

Run add_bench(CLI::App& command, const CommonOptions& common) {
  auto options = std::make_shared<Options>();
  command.add_flag("--json", options->json,
                   "Prints {\"rows\": [{\"id\", \"claim\", \"source\", \"asked\", \"got\", "
                   "\"unit\", \"holds\"}]}");
  command.add_flag("--quick", options->quick, "Shorter, for a first look");
  command.add_option("--threads", options->threads, "Workers of the room; 0: one a core")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  return [options, &common] {
    auto library = Library::load(common.data_dir);
    if (!library) return complain(library.error().text());
    try {
      return bench(*library, *options);
    } catch (const std::runtime_error& error) {
      return complain(error.what());
    }
  };
}

}  // namespace promenade::app
