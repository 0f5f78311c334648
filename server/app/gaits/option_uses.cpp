#include "app/gaits/option_uses.h"

#include <algorithm>
#include <vector>

namespace promenade::app {
namespace {

/// What `search gait` can be asked for, as bits.
enum Task : unsigned {
  kCreature = 1,
  kBegin = 1 << 1,
  kVariant = 1 << 2,  // but no leap
  kLeap = 1 << 3,
  kFeedback = 1 << 4,
  kEntries = 1 << 5,
  kReaches = 1 << 6,
  kVariations = 1 << 7,
  kLandscape = 1 << 8,
  kResume = 1 << 9,
  kFrom = 1 << 10,
  kAgain = 1 << 11,
  kTry = 1 << 12,
};
constexpr unsigned kGaits = kCreature | kBegin, kVariants = kVariant | kLeap,
                   kNew = kGaits | kVariants | kFeedback, kRuns = kNew | kResume,
                   kAbout = kVariations | kLandscape;

struct Named {
  const char* option;
  unsigned tasks;
  const char* more = "";  // that goes with it
};
// The options that ask for something.
constexpr Named kTasks[] = {{"--creature", kCreature},
                            {"--begin", kBegin},
                            {"--variant-of", kVariant},
                            {"--variant-of", kLeap, " --use LEAP"},
                            {"--feedback-of", kFeedback},
                            {"--entries-of", kEntries},
                            {"--reaches-of", kReaches},
                            {"--variations-of", kVariations},
                            {"--landscape-of", kLandscape},
                            {"--resume", kResume},
                            {"--from", kFrom},
                            {"--again", kAgain},
                            {"--try", kTry}};
// The others, with the tasks that they change. Those of the run itself, as --threads, go with all.
constexpr Named kOptions[] = {{"--symmetry", kCreature},
                              {"--states", kCreature},
                              {"--period", kCreature | kLeap},
                              {"--reach", kGaits | kVariants},
                              {"--objective", kNew},
                              {"--strides", kNew | kAbout},
                              {"--starts", kNew | kAbout},
                              {"--use", kVariants},
                              {"--weights", kVariant},
                              {"--chain", kLeap},
                              {"--size", kLeap},
                              {"--hurdle", kLeap | kReaches},
                              {"--shove", kNew},
                              {"--method", kNew},
                              {"--seed", kNew | kVariations},
                              {"--population", kNew},
                              {"--global", kNew},
                              {"--sigma", kNew},
                              {"--budget", kRuns},
                              {"--seconds", kRuns},
                              {"--log", kNew},
                              {"--map", kRuns},
                              {"--name", kGaits | kResume | kFrom},
                              {"--count", kVariations},
                              {"--directions", kVariations},
                              {"--axes", kLandscape},
                              {"--figure", kLandscape},
                              {"--points", kLandscape},
                              {"--report", kAbout},
                              {"--body", kAbout | kAgain},
                              {"--out", ~(kAgain | kTry)}};

bool given(const CLI::App& command, const char* option) {
  return command.get_option(option)->count() > 0;
}

std::string text_of(const Named& task) { return std::string(task.option) + task.more; }

// "a, b or c", of the tasks that an option goes with.
std::string tasks_of(unsigned tasks) {
  std::vector<std::string> names;
  for (const Named& task : kTasks) {
    const bool each = task.tasks != kLeap || !(tasks & kVariant);
    if ((tasks & task.tasks) && each) names.push_back(text_of(task));
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return out;
}

}  // namespace

std::optional<std::string> ignored_option(const CLI::App& command, bool leaps) {
  const auto asked = std::find_if(std::begin(kTasks), std::end(kTasks), [&](const Named& task) {
    return given(command, task.option) && !(task.tasks == kVariant && leaps);
  });
  if (asked == std::end(kTasks)) return std::nullopt;
  for (const Named& one : kOptions) {
    if (!given(command, one.option) || (one.tasks & asked->tasks)) continue;
    std::string what = text_of(*asked);
    if (asked->tasks == kVariant) what += " without --use LEAP";
    return std::string(one.option) + " would change nothing with " + what + "; it goes with " +
           tasks_of(one.tasks);
  }
  return std::nullopt;
}

}  // namespace promenade::app
