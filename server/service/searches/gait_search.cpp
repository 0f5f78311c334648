#include "service/searches/gait_search.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

#include "physics/gravity.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "search/gaits/found_gait.h"
#include "search/log.h"
#include "world/journal/durable_file.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

constexpr int kMostFailures = 3;          // of processes that come to nothing, in a row
constexpr std::size_t kMostScores = 600;  // of a report
constexpr std::size_t kMostCurve = 400;
constexpr double kSigma = 0.2;
constexpr schema::JsonLimits kLineLimits{std::size_t{1} << 26, 32};

CommandError invalid(std::string field, std::string value, std::string allowed) {
  return world::refuse(Code::kInvalid, std::move(field), std::move(value), std::move(allowed));
}

/// Fills in what the order leaves out. @return what is wrong with it
std::optional<CommandError> complete(v1::RoomSearchOrder& order) {
  if (order.objective().empty() && !order.has_definition()) order.set_objective("speed");
  if (order.method().empty()) order.set_method("global-cma-es");
  if (order.budget() == 0) order.set_budget(3000);
  if (order.minutes() == 0) order.set_minutes(20);
  if (order.states() == 0) order.set_states(4);
  if (order.budget() < 10 || order.budget() > 50000) {
    return invalid("budget", std::to_string(order.budget()), "10 to 50000 candidates");
  }
  if (!(order.minutes() >= 0.1 && order.minutes() <= 120)) {
    return invalid("minutes", schema::number(order.minutes()), "0.1 to 120");
  }
  if (!search::find_method(order.method())) {
    return invalid("method", schema::in_quotes(order.method()),
                   schema::listed_names(search::method_names()));
  }
  if (order.has_definition() && !order.objective().empty()) {
    return invalid("definition", "given together with `objective`", "only one of the two");
  }
  const std::string& name = order.objective();
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (!plain) return invalid("objective", schema::in_quotes(name), "the name of an objective");
  return std::nullopt;
}

/// The names of the objectives in the data directory, for errors.
std::string known_objectives(const std::filesystem::path& data_dir) {
  std::vector<std::string> names;
  if (const auto files = schema::json_files(data_dir / "objectives" / "gaits")) {
    for (const auto& file : *files) names.push_back(file.stem().string());
  }
  return schema::listed_names(names);
}

v1::SearchStart start_of(const v1::RoomSearchOrder& order, const v1::Creature& body,
                         const v1::GaitObjective& objective) {
  v1::SearchStart start;
  start.set_program(PROMENADE_VERSION);
  start.set_family("posegraph");
  start.set_objective_file(order.objective());
  start.set_seed(order.seed());
  start.set_method(order.method());
  start.set_sigma(kSigma);
  v1::GaitSearch& gait = *start.mutable_gait();
  gait.set_creature(body.name());
  *gait.mutable_body() = body;
  gait.set_symmetry(order.symmetry());
  gait.set_states(order.states());
  gait.set_period_s(order.period_s());
  gait.set_reach_rad(order.reach_rad());
  *gait.mutable_objective() = objective;
  return start;
}

CommandError error_of(const schema::FileError& wrong) { return world::error_of(wrong, ""); }

}  // namespace

GaitSearch::GaitSearch(const SearchPlace& place, v1::RoomSearchFile file, v1::SearchStart start,
                       search::GaitProblem problem)
    : place_(place),
      file_(std::move(file)),
      start_(std::move(start)),
      problem_(std::move(problem)),
      seconds_before_(file_.seconds()) {
  course_.emplace(problem_, start_);
}

GaitSearch::~GaitSearch() = default;

std::filesystem::path GaitSearch::path(const char* ending) const {
  return place_.directory / (file_.room() + ending);
}

GaitSearch::Made GaitSearch::begin(const SearchPlace& place, const std::string& room,
                                   v1::RoomSearchOrder order, const world::CreatureDefinition& body,
                                   std::uint64_t number) {
  if (auto wrong = complete(order)) return *std::move(wrong);
  v1::GaitObjective objective = order.definition();
  if (!order.has_definition()) {
    auto loaded = search::load_gait_objective(place.data_dir, order.objective());
    if (!loaded) {
      return world::refuse(Code::kNotFound, "objective", schema::in_quotes(order.objective()),
                           known_objectives(place.data_dir));
    }
    objective = *std::move(loaded);
  }
  v1::SearchStart start = start_of(order, body.whole, objective);
  auto problem = search::GaitProblem::make(start.gait(), *place.library, {});
  if (!problem) return error_of(problem.error());
  const search::Method& method = *search::find_method(order.method());
  start.set_population(std::uint32_t(method.population(problem->dimension())));
  v1::RoomSearchFile file;
  *file.mutable_order() = std::move(order);
  file.set_room(room);
  file.set_number(number);
  std::unique_ptr<GaitSearch> out(
      new GaitSearch(place, std::move(file), std::move(start), *std::move(problem)));
  std::error_code code;
  std::filesystem::create_directories(place.directory, code);
  std::filesystem::remove(out->path(".log"), code);
  auto log = search::LogWriter::create(out->path(".log"));
  v1::SearchLogLine line;
  *line.mutable_start() = out->start_;
  const auto failed = log ? log->write(line) : std::optional(log.error());
  if (failed) {
    spdlog::error("a search of room {} cannot begin: {}", room, failed->text());
    return world::refuse(Code::kInternal, "search", failed->text(), "a disk that takes its log");
  }
  out->keep();
  return out;
}

std::unique_ptr<GaitSearch> GaitSearch::find(const SearchPlace& place, const std::string& room) {
  const auto text = schema::read_file(place.directory / (room + ".json"));
  if (!text) return nullptr;
  const auto lost = [&](const std::string& why) {
    spdlog::warn("the search of room {} is lost: {}", room, why);
    return nullptr;
  };
  auto file = schema::parse_message<v1::RoomSearchFile>(*text);
  if (!file) return lost(file.error().text());
  const auto log = search::read_log(place.directory / (room + ".log"));
  if (!log) return lost(log.error().text());
  auto problem = search::GaitProblem::make(log->start.gait(), *place.library, {});
  if (!problem) return lost(problem.error().text());
  if (!search::find_method(log->start.method())) return lost("it has a method of another program");
  return std::unique_ptr<GaitSearch>(
      new GaitSearch(place, *std::move(file), log->start, *std::move(problem)));
}

void GaitSearch::keep() {
  if (const int error =
          world::write_durably(path(".json"), schema::message_to_json(file_) + "\n")) {
    spdlog::warn("the search of room {} would not outlive a restart: {}", file_.room(),
                 std::generic_category().message(error));
  }
}

void GaitSearch::end(v1::RoomSearch::State state, const std::string& trouble) {
  process_.reset();
  file_.set_state(state);
  file_.set_trouble(trouble);
  keep();
  ++changes_;
}

void GaitSearch::stop() {
  if (!runs()) return;
  read_log();
  if (runs()) end(v1::RoomSearch::STOPPED, "");
}

void GaitSearch::forget() {
  std::error_code ignored;
  for (const char* ending : {".log", ".json", ".errors"}) {
    std::filesystem::remove(path(ending), ignored);
  }
}

void GaitSearch::look() {
  const bool first = read_ == 0;
  if (!runs() && !first) return;
  const std::uint64_t before = course_->result().evaluations;
  read_log();
  if (!runs()) return;
  const std::uint64_t now = course_->result().evaluations;
  if (now > before) failures_ = 0;
  if (process_) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun_;
    file_.set_seconds(seconds_before_ + took.count());
    if (const auto ended = process_->ended()) {
      process_.reset();
      seconds_before_ = file_.seconds();
      read_log();
      if (ended->empty()) return end(v1::RoomSearch::DONE, "");
      if (++failures_ >= kMostFailures) return end(v1::RoomSearch::FAILED, *ended);
    } else if (file_.seconds() >= 60 * file_.order().minutes()) {
      return end(v1::RoomSearch::DONE, "");
    } else {
      return;
    }
  }
  if (now >= file_.order().budget()) return end(v1::RoomSearch::DONE, "");
  try {
    const std::vector<std::string> arguments = {
        "--resume",       path(".log").string(),
        "--budget",       std::to_string(file_.order().budget()),
        "--threads",      std::to_string(place_.threads),
        "--check-starts", "0",
        "--data",         place_.data_dir.string()};
    process_ = std::make_unique<SearchProcess>(arguments, path(".errors"));
    begun_ = std::chrono::steady_clock::now();
    keep();
  } catch (const std::system_error& error) {
    if (++failures_ >= kMostFailures) end(v1::RoomSearch::FAILED, error.what());
  }
}

void GaitSearch::read_log() {
  std::ifstream in(path(".log"), std::ios::binary);
  in.seekg(std::streamoff(read_));
  std::string line;
  while (runs() || file_.state() != v1::RoomSearch::FAILED) {
    if (!std::getline(in, line) || in.eof()) return;  // without its end: it is being written
    v1::SearchLogLine message;
    if (const auto wrong = schema::message_from_json(line, &message, nullptr, kLineLimits)) {
      return end(v1::RoomSearch::FAILED, wrong->text());
    }
    read_ += line.size() + 1;
    if (message.has_start() || !message.has_generation()) continue;
    if (const auto wrong = course_->take(message.generation())) {
      return end(v1::RoomSearch::FAILED, wrong->text());
    }
    take(message.generation());
  }
}

void GaitSearch::note_score(double score) {
  if (scores_seen_++ % scores_every_ != 0) return;
  scores_.push_back(score);
  if (scores_.size() < kMostScores) return;
  for (std::size_t i = 0; 2 * i < scores_.size(); ++i) scores_[i] = scores_[2 * i];
  scores_.resize(kMostScores / 2);
  scores_every_ *= 2;
}

void GaitSearch::take(const v1::SearchGeneration& generation) {
  ++changes_;
  for (const double score : generation.scores()) note_score(-score);
  const search::SearchResult& so_far = course_->result();
  if (!curve_.empty() && curve_.back().trial() == so_far.best_trial) return;
  best_kind_.clear();
  for (const auto& [cell, elite] : so_far.archive.elites()) {
    if (elite.trial == so_far.best_trial) best_kind_ = elite.label;
  }
  v1::SearchBest& best = curve_.emplace_back();
  best.set_trial(so_far.best_trial);
  best.set_score(-so_far.best_score);
  best.set_kind(best_kind_);
  // Of the many steps of the beginning some are left out.
  if (curve_.size() > kMostCurve) curve_.erase(curve_.begin() + kMostCurve / 2);
}

std::optional<std::uint64_t> GaitSearch::best() const {
  const search::SearchResult& so_far = course_->result();
  const bool stands =
      so_far.evaluations == 0 || -so_far.best_score < search::GaitProblem::kFallen + 1;
  return stands ? std::nullopt : std::optional(so_far.best_trial);
}

bool GaitSearch::in_library() const {
  const auto built_in = place_.library->find_creature(start_.gait().creature());
  return built_in &&
         built_in->whole.SerializeAsString() == start_.gait().body().SerializeAsString();
}

std::optional<v1::Gait> GaitSearch::gait(std::optional<std::size_t> cell) const {
  const search::SearchResult& so_far = course_->result();
  search::FoundFacts facts;
  search::Vector places = so_far.best;
  if (!cell && !best()) return std::nullopt;
  facts.trial = so_far.best_trial;
  facts.score = -so_far.best_score;
  facts.kind = best_kind_;
  for (const auto& [number, elite] : so_far.archive.elites()) {
    if (cell ? number != *cell : elite.trial != so_far.best_trial) continue;
    places = elite.point;
    facts.kind = elite.label;
    facts.trial = elite.trial;
    facts.score = -elite.score;
    const double size = std::max(1e-4, problem_.space().creature().standing_com_height);
    facts.speed = elite.traits[0] * std::sqrt(physics::kGravity * size);
    cell.reset();
    break;
  }
  if (cell) return std::nullopt;  // there is none of that number
  const std::string kind = facts.kind.empty() ? "gait" : facts.kind;
  return search::found_gait(
      problem_.space(), places, start_, facts,
      start_.gait().creature() + "_" + kind + "_" + std::to_string(facts.trial), in_library());
}

void GaitSearch::note_showing(const std::string& trouble) {
  if (std::exchange(showing_, trouble) != trouble) ++changes_;
}

v1::RoomSearch GaitSearch::report() const {
  const search::SearchResult& so_far = course_->result();
  v1::RoomSearch out;
  out.set_room(file_.room());
  out.set_number(file_.number());
  out.set_state(file_.state());
  out.set_trouble(file_.trouble().empty() ? showing_ : file_.trouble());
  *out.mutable_order() = file_.order();
  out.set_creature(start_.gait().creature());
  out.set_evaluations(so_far.evaluations);
  out.set_seconds(file_.seconds());
  out.set_numbers(std::uint32_t(problem_.dimension()));
  if (so_far.evaluations > 0) {
    v1::SearchBest& best = *out.mutable_best();
    best.set_trial(so_far.best_trial);
    best.set_score(-so_far.best_score);
    best.set_kind(best_kind_);
    for (const v1::SearchTerm& term : so_far.best_terms) *best.add_terms() = term;
  }
  out.mutable_curve()->Assign(curve_.begin(), curve_.end());
  out.mutable_scores()->Assign(scores_.begin(), scores_.end());
  out.set_scores_every(scores_every_);
  for (const search::Axis& axis : problem_.axes()) {
    v1::SearchAxis& m = *out.add_axes();
    m.set_name(axis.name);
    m.set_unit(axis.unit);
    m.set_low(axis.low);
    m.set_high(axis.high);
    m.set_cells(std::uint32_t(axis.cells));
    m.set_round(axis.round);
  }
  for (const auto& [cell, elite] : so_far.archive.elites()) {
    v1::SearchCell& m = *out.add_cells();
    m.set_cell(std::uint32_t(cell));
    for (const int place : so_far.archive.place_of(cell)) m.add_place(std::uint32_t(place));
    m.set_score(-elite.score);
    m.set_kind(elite.label);
    m.set_trial(elite.trial);
    m.mutable_traits()->Assign(elite.traits.begin(), elite.traits.end());
  }
  for (std::size_t i = 0; i < so_far.ends.size(); ++i) {
    v1::SearchEnd& m = *out.add_ends();
    m.set_end(problem_.ends()[i]);
    m.set_count(so_far.ends[i]);
  }
  return out;
}

}  // namespace promenade::service
