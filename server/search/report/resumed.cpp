// Whether a search that was stopped goes on to the same log.
#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "math/random.h"
#include "schema/message.h"
#include "search/log.h"
#include "search/report/found_gaits.h"
#include "search/run.h"
#include "study/trial/rig/scratch_directory.h"

namespace promenade::search {
namespace {

constexpr int kStops = 10;  // of each search: half between two generations, half within a line

// The method that begins anywhere, the source's own and the one that fills a map.
struct Stopped {
  const char* gait;  // whose search is run with another seed
  const char* method;
};
constexpr std::array<Stopped, 3> kStopped = {
    {{"luxo_hop", "global-cma-es"}, {"cat_trot", "greedy"}, {"ant_tripod", "map-elites"}}};

/// A search that writes its log.
class LoggedSearch {
 public:
  LoggedSearch(const GaitProblem& problem, v1::SearchStart start, std::uint64_t budget)
      : problem_(problem), start_(std::move(start)), budget_(budget) {}

  void begin(const std::filesystem::path& log) const {
    auto writer = taken(LogWriter::create(log));
    v1::SearchLogLine line;
    *line.mutable_start() = start_;
    if (const auto error = writer.write(line)) throw std::runtime_error(error->text());
    run(start_, {}, std::move(writer));
  }

  /// Goes on with a log that was cut off, as `promenade search gait --resume` does.
  void go_on(const std::filesystem::path& path) const {
    const Log log = taken(read_log(path));
    run(log.start, log.generations, taken(LogWriter::go_on(path, log.bytes)));
  }

 private:
  template <typename T>
  static T taken(schema::Result<T> result) {
    if (!result) throw std::runtime_error(result.error().text());
    return *std::move(result);
  }
  void run(const v1::SearchStart& start, std::span<const v1::SearchGeneration> past,
           LogWriter writer) const {
    RunOptions options;
    options.budget = budget_;
    options.threads = 1;
    options.log = [&](const v1::SearchLogLine& line) { return writer.write(line); };
    const auto result = run_search(problem_, start, past, options);
    if (!result) throw std::runtime_error(result.error().text());
  }

  const GaitProblem& problem_;
  const v1::SearchStart start_;
  const std::uint64_t budget_;
};

std::string text_of(const std::filesystem::path& path) {
  constexpr std::size_t kLongest = std::size_t{1} << 28;
  const auto text = schema::read_file(path, kLongest);
  if (!text) throw std::runtime_error(text.error().text());
  return *text;
}

}  // namespace

int count_resumed(const GaitProblem& problem, const v1::SearchStart& start, std::uint64_t budget,
                  int stops) {
  const LoggedSearch search(problem, start, budget);
  const trial::ScratchDirectory directory;
  const std::filesystem::path whole = directory.path() / "whole.log";
  search.begin(whole);
  const std::string text = text_of(whole);
  const std::size_t head = text.find('\n') + 1;  // the start is written before any trial
  Random random = Random::stream(start.seed(), 0x1065);
  int same = 0;
  for (int i = 0; i < stops; ++i) {
    // As of a process that was killed: at any byte, every second one at the end of a line.
    std::size_t bytes = head + random.below(text.size() - head);
    if (i % 2 == 0) bytes = text.rfind('\n', bytes - 1) + 1;
    const std::filesystem::path cut = directory.path() / ("cut" + std::to_string(i) + ".log");
    std::filesystem::copy_file(whole, cut);
    std::filesystem::resize_file(cut, bytes);
    search.go_on(cut);
    same += text_of(cut) == text;
  }
  return same;
}

void plan_resumed(study::ReportPlan& plan) {
  const std::string id = "resumed";
  if (!plan.wants(id)) return;
  const int stops = plan.amount(kStops, 2);
  const std::uint64_t budget = std::uint64_t(plan.amount(300, 60));
  auto same = std::make_shared<std::vector<int>>(kStopped.size());
  for (const WantedGait& gait : wanted_gaits(*plan.library)) {
    const auto stopped = std::find_if(kStopped.begin(), kStopped.end(),
                                      [&](const Stopped& one) { return gait.name == one.gait; });
    if (stopped == kStopped.end()) continue;
    const auto i = std::size_t(stopped - kStopped.begin());
    const auto problem = problem_for(gait, *plan.library);
    v1::SearchStart start = gait.start;
    start.set_method(stopped->method);
    start.set_global(std::uint32_t(budget / 3));  // so that stops fall into what comes after, too
    start.set_seed(plan.seed_of(id, int(i)));
    constexpr double kAbout = 4000;  // s that one simulates
    plan.job([=] { (*same)[i] = count_resumed(*problem, start, budget, stops); }, kAbout);
  }
  plan.finish([=](std::vector<study::ReportRow>& rows, std::string&) {
    const int all = stops * int(kStopped.size());
    int right = 0;
    std::string each;
    for (std::size_t i = 0; i < kStopped.size(); ++i) {
      right += (*same)[i];
      each += study::formatted("%s %d by %s from the search of %s", each.empty() ? "" : ",",
                               (*same)[i], kStopped[i].method, kStopped[i].gait);
    }
    study::ReportRow row;
    row.id = id;
    row.claim = study::formatted(
        "searches with other seeds, %d candidates each, whose log was cut off at a random byte, "
        "every second one at the end of a line, and that went on to the same log, byte for byte;",
        int(budget));
    row.claim += each;
    row.source = "not addressed";
    row.asked = double(all);
    row.got = double(right);
    row.unit = "searches";
    row.holds = right == all;
    rows.push_back(std::move(row));
  });
}

}  // namespace promenade::search
