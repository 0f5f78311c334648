#include "app/search_rig.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <utility>

#include "command/progress_bar.h"

namespace promenade::app {
namespace {

using schema::FileError;
using schema::Result;

volatile std::sig_atomic_t interrupted = 0;

/// While it lives, the first Ctrl-C only asks the search to end; the second one ends the program.
class Interrupts {
 public:
  Interrupts() {
    interrupted = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &before_int_);
    sigaction(SIGTERM, &action, &before_term_);
  }
  ~Interrupts() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  struct sigaction before_int_ {
  }, before_term_{};
};

}  // namespace

Result<Beginning> read_beginning(const std::filesystem::path& path) {
  auto log = search::read_log(path);
  if (!log) return log.error();
  Beginning beginning;
  beginning.start = std::move(log->start);
  beginning.past = std::move(log->generations);
  beginning.log_bytes = log->bytes;
  return beginning;
}

std::optional<FileError> open_log(Beginning& beginning, const std::filesystem::path& resume,
                                  const std::filesystem::path& log) {
  if (resume.empty() && log.empty()) return std::nullopt;
  auto writer = resume.empty() ? search::LogWriter::create(log)
                               : search::LogWriter::go_on(resume, beginning.log_bytes);
  if (!writer) return writer.error();
  beginning.log.emplace(*std::move(writer));
  if (!resume.empty()) return std::nullopt;
  v1::SearchLogLine line;
  *line.mutable_start() = beginning.start;
  return beginning.log->write(line);
}

void work_in_background() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Where the kernel has no such class, the lowest priority of the usual one does.
  const sched_param none{};
  if (::sched_setscheduler(0, SCHED_IDLE, &none) != 0) (void)::nice(19);
}

Result<search::SearchResult> run_with_bar(const search::Problem& problem, Beginning& beginning,
                                          const SearchLimits& limits) {
  const Interrupts interrupts;
  command::ProgressBar bar("search", limits.progress);
  const auto begun = std::chrono::steady_clock::now();
  search::RunOptions options;
  options.budget = limits.budget;
  options.threads = limits.threads;
  options.stop = [&] {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    return interrupted != 0 || (limits.seconds > 0 && took.count() >= limits.seconds);
  };
  options.progress = [&](const search::Progress& now) {
    const double share = now.runs > 0 ? double(now.runs_done) / now.runs : 0;
    char note[160];
    std::snprintf(note, sizeof note, "generation %u, %d of %d runs, best %.4g, sigma %.3g%s",
                  now.generation, now.runs_done, now.runs, now.best_score, now.sigma,
                  interrupted ? "; ends after this generation" : "");
    bar.show(double(now.evaluations) + share * beginning.start.population(), double(limits.budget),
             note);
  };
  if (beginning.log) {
    options.log = [&](const v1::SearchLogLine& line) { return beginning.log->write(line); };
  }
  return search::run_search(problem, beginning.start, beginning.past, options);
}

}  // namespace promenade::app
