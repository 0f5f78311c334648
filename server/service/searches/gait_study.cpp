#include "service/searches/gait_study.h"

#include <google/protobuf/util/json_util.h>
#include <spdlog/spdlog.h>

#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "api/digest.h"
#include "control/posegraph/gait.h"
#include "control/registry.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "search/gaits/gait_figures.h"
#include "search/gaits/landscape.h"
#include "study/trial/gait/gait_trial.h"
#include "world/library/definitions.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

constexpr std::uint32_t kUsualCount = 9, kMostCount = 12;
constexpr std::uint32_t kUsualPoints = 31;
constexpr std::chrono::minutes kLongest{20};
constexpr std::size_t kLargestReport = std::size_t{1} << 26;  // bytes
constexpr const char* kEndings[] = {".gait.json", ".body.json", ".report.json", ".errors"};

CommandError invalid(std::string field, std::string value, std::string allowed) {
  return world::refuse(Code::kInvalid, std::move(field), std::move(value), std::move(allowed));
}

// Fills in what the wish leaves out. @return what is wrong with it
std::optional<CommandError> complete(v1::VariationsWish& wish,
                                     const search::GaitSurroundings& about) {
  if (wish.count() == 0) wish.set_count(kUsualCount);
  if (wish.count() > kMostCount) {
    return invalid("variations.count", std::to_string(wish.count()),
                   "1 to " + std::to_string(kMostCount));
  }
  const auto others = std::uint32_t(about.message().variants_size());
  if (others + wish.count() > control::posegraph::kMostVariants) {
    return invalid(
        "variations.count",
        std::to_string(wish.count()) + " besides the " + std::to_string(others) +
            " variants that the gait has",
        "no more than " + std::to_string(control::posegraph::kMostVariants) + " with these");
  }
  return std::nullopt;
}

std::optional<CommandError> complete(v1::LandscapeWish& wish,
                                     const search::GaitSurroundings& about) {
  if (wish.points() == 0) wish.set_points(kUsualPoints);
  if (int(wish.points()) < search::kFewestPoints || int(wish.points()) > search::kMostPoints) {
    return invalid("landscape.points", std::to_string(wish.points()),
                   schema::range_text(search::kFewestPoints, search::kMostPoints));
  }
  if (wish.figure().empty()) wish.set_figure("speed");
  const auto figure = search::plain_figure(wish.figure());
  if (!figure) return world::error_of(figure.error(), "landscape");
  const std::vector<std::string> axes(wish.axes().begin(), wish.axes().end());
  const auto numbers = search::axes_of(about.space(), axes, {});
  if (!numbers) return world::error_of(numbers.error(), "landscape");
  wish.clear_axes();
  for (const int number : *numbers) wish.add_axes(about.space().names()[std::size_t(number)]);
  return std::nullopt;
}

// The gait that a character has, for the body that it has. @return why it has none
std::variant<v1::Gait, CommandError> gait_of(const world::RosterEntry& entry) {
  const std::string who = std::to_string(entry.id);
  if (!control::find_family(entry.controller)->plays_gaits) {
    return invalid("character", who + ", which is driven by " + entry.controller,
                   "a character that is driven by posegraph");
  }
  if (!entry.gait_definition || entry.gait_definition->message.states().empty()) {
    return invalid("character", who + ", which has no gait",
                   "a character with a gait; set_gait gives it one");
  }
  const auto fitting =
      control::posegraph::refitted(entry.gait_definition->message, *entry.body_definition->body);
  if (!fitting) {
    return invalid("character", who + ", whose body has not all joints of its gait",
                   "a character that plays its gait");
  }
  return fitting->message;
}

bool write(const std::filesystem::path& path, const google::protobuf::Message& message) {
  std::ofstream file(path, std::ios::binary);
  file << schema::message_to_json(message) << std::flush;
  return bool(file);
}

}  // namespace

GaitStudy::GaitStudy(const StudyPlace& place, v1::GaitStudy report)
    : place_(place), report_(std::move(report)) {}

GaitStudy::~GaitStudy() {
  process_.reset();
  std::error_code ignored;
  for (const char* ending : kEndings) std::filesystem::remove(path(ending), ignored);
}

std::filesystem::path GaitStudy::path(const char* ending) const {
  return place_.directory / (report_.room() + "-" + std::to_string(report_.number()) + ending);
}

GaitStudy::Made GaitStudy::begin(const StudyPlace& place, const std::string& room,
                                 v1::GaitStudyOrder order, const world::RosterEntry& entry,
                                 std::uint64_t number) {
  auto gait = gait_of(entry);
  if (auto* error = std::get_if<CommandError>(&gait)) return std::move(*error);
  const control::Family& family = *control::find_family(entry.controller);
  const trial::GaitTrial trial(entry.body_definition->body,
                               place.library->controllers().parameters(family));
  const auto about = search::GaitSurroundings::make(std::get<v1::Gait>(gait), trial, {});
  if (!about) return world::error_of(about.error(), "");
  std::optional<CommandError> wrong;
  if (order.has_variations()) {
    wrong = complete(*order.mutable_variations(), *about);
  } else if (order.has_landscape()) {
    wrong = complete(*order.mutable_landscape(), *about);
  } else {
    wrong = invalid("what", "none", "`variations` or `landscape`, as in \"variations\": {}");
  }
  if (wrong) return *std::move(wrong);
  v1::GaitStudy report;
  report.set_room(room);
  report.set_number(number);
  constexpr std::size_t kIdBytes = 8;
  report.set_id(api::random_hex(kIdBytes));
  *report.mutable_order() = std::move(order);
  report.set_creature(entry.body_definition->whole.name());
  report.set_gait(about->message().name());
  for (const std::string& name : about->space().names()) report.add_numbers(name);
  std::unique_ptr<GaitStudy> out(new GaitStudy(place, std::move(report)));
  if (!write(out->path(".gait.json"), std::get<v1::Gait>(gait)) ||
      !write(out->path(".body.json"), entry.body_definition->whole)) {
    spdlog::error("a study of a gait in room {} cannot begin: {} cannot be written", room,
                  place.directory.string());
    return world::refuse(Code::kInternal, "gait-study", "its files cannot be written",
                         "a disk that takes them");
  }
  return out;
}

std::vector<std::string> GaitStudy::arguments() const {
  const v1::GaitStudyOrder& order = report_.order();
  std::vector<std::string> out = {
      "--body",    path(".body.json").string(),    "--report", path(".report.json").string(),
      "--threads", std::to_string(place_.threads), "--data",   place_.data_dir.string()};
  const auto add = [&](std::initializer_list<std::string> more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  if (order.has_variations()) {
    add({"--variations-of", path(".gait.json").string(), "--count",
         std::to_string(order.variations().count()), "--seed",
         std::to_string(order.variations().seed())});
    return out;
  }
  const v1::LandscapeWish& wish = order.landscape();
  add({"--landscape-of", path(".gait.json").string(), "--starts", "1", "--figure", wish.figure(),
       "--points", std::to_string(wish.points()), "--axes", wish.axes(0), wish.axes(1)});
  return out;
}

void GaitStudy::start() {
  begun_ = std::chrono::steady_clock::now();
  try {
    process_ = std::make_unique<SearchProcess>(arguments(), path(".errors"));
  } catch (const std::system_error& error) {
    end(v1::RoomSearch::FAILED, error.what());
  }
}

bool GaitStudy::look() {
  if (!runs()) return false;
  if (!process_) {
    start();
    return false;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun_;
  report_.set_seconds(took.count());
  if (const auto ended = process_->ended()) {
    if (ended->empty()) return true;
    end(v1::RoomSearch::FAILED, *ended);
  } else if (took > kLongest) {
    end(v1::RoomSearch::FAILED, "it took longer than 20 minutes");
  }
  return false;
}

void GaitStudy::read_result(const std::filesystem::path& file, v1::GaitStudy& report) {
  const auto text = schema::read_file(file, kLargestReport);
  // By protobuf's own reader, as takes are bytes; the report is of this program itself.
  const auto taken = [&](google::protobuf::Message* message) {
    return text && google::protobuf::util::JsonStringToMessage(*text, message).ok();
  };
  const bool well = report.order().has_variations() ? taken(report.mutable_variations())
                                                    : taken(report.mutable_landscape());
  report.set_state(well ? v1::RoomSearch::DONE : v1::RoomSearch::FAILED);
  if (well) return;
  report.clear_variations();
  report.clear_landscape();
  report.set_trouble("its process has left no report");
}

void GaitStudy::take_result(v1::GaitStudy report) {
  process_.reset();
  report_ = std::move(report);
}

void GaitStudy::stop() {
  if (runs()) end(v1::RoomSearch::STOPPED, "");
}

void GaitStudy::end(v1::RoomSearch::State state, const std::string& trouble) {
  process_.reset();
  report_.set_state(state);
  report_.set_trouble(trouble);
}

}  // namespace promenade::service
