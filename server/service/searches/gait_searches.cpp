#include "service/searches/gait_searches.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>
#include <utility>

#include "schema/message.h"
#include "schema/refusal.h"
#include "world/library/definitions.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPeriod{250};
constexpr std::chrono::seconds kShownFor{3};  // before a better gait takes its place

world::CommandError no_search() {
  return world::refuse(Code::kNotFound, "search", "none in this room",
                       "a room in which a search was begun");
}

const world::RosterEntry* entry_of(const world::Roster& roster, world::CharacterId id) {
  for (const world::RosterEntry& entry : roster.entries) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

}  // namespace

GaitSearches::GaitSearches(Rooms& rooms, const std::filesystem::path& data_dir,
                           const std::filesystem::path& state_dir, int threads)
    : rooms_(rooms),
      place_{rooms.library(), data_dir, state_dir.empty() ? state_dir : state_dir / "searches",
             threads},
      kept_(!state_dir.empty()),
      watch_([this](auto&) { return look(); }) {}

GaitSearches::~GaitSearches() { stop(); }

void GaitSearches::stop() {
  if (!watch_.end()) return;
  const auto lock = watch_.lock();  // requests may still come
  places_.clear();
  directory_.remove();
}

GaitSearches::Place& GaitSearches::place_of(const RoomHost& room) {
  const auto [found, fresh] = places_.try_emplace(room.id());
  Place& place = found->second;
  if (!fresh || !kept_ || !(place.search = GaitSearch::find(place_, room.id()))) return place;
  place.number = place.search->file().number();
  place.shows = place.search->runs();
  return place;
}

std::size_t GaitSearches::running() const {
  return std::size_t(std::count_if(places_.begin(), places_.end(), [](const auto& one) {
    return one.second.search && one.second.search->runs();
  }));
}

GaitSearches::Report GaitSearches::begin(const RoomHost& room, const v1::RoomSearchOrder& order) {
  const auto publication = room.current();
  const world::Roster& roster = *publication->snapshot().roster;
  const world::RosterEntry* entry = entry_of(roster, order.character());
  if (!entry) {
    return world::refuse(Code::kNotFound, "character", std::to_string(order.character()),
                         "the id of a character in the roster");
  }
  const auto lock = watch_.lock();
  if (watch_.ends()) return world::refuse(Code::kBusy, "search", "the server ends", "another time");
  Place& place = place_of(room);
  if (place.search && place.search->runs()) {
    return world::refuse(Code::kConflict, "search", "one runs in this room",
                         "a room without one; stop it first");
  }
  if (running() >= kMostRunning) {
    return world::refuse(Code::kBusy, "search", std::to_string(running()) + " run on this server",
                         "up to " + std::to_string(kMostRunning) + "; wait until one has ended");
  }
  if (!kept_) place_.directory = directory_.make();
  if (place_.directory.empty()) return no_directory("search");
  auto made =
      GaitSearch::begin(place_, room.id(), order, *entry->body_definition, place.number + 1);
  if (auto* error = std::get_if<world::CommandError>(&made)) return std::move(*error);
  place.search = std::get<0>(std::move(made));
  place.number = place.search->file().number();
  place.shows = true;
  place.shown = 0;
  place.text.reset();
  watch_.wake();
  return place.search->report();
}

GaitSearches::Report GaitSearches::stop(const RoomHost& room) {
  const auto lock = watch_.lock();
  const Place& place = place_of(room);
  if (!place.search) return no_search();
  place.search->stop();
  return place.search->report();
}

std::shared_ptr<const std::string> GaitSearches::report(const RoomHost& room) {
  const auto lock = watch_.lock();
  Place& place = place_of(room);
  if (!place.search) {
    v1::RoomSearch none;
    none.set_room(room.id());
    none.set_state(v1::RoomSearch::NONE);
    return std::make_shared<const std::string>(schema::message_to_json(none, true) + "\n");
  }
  if (!place.text || place.text_changes != place.search->changes()) {
    place.text_changes = place.search->changes();
    place.text = std::make_shared<const std::string>(
        schema::message_to_json(place.search->report(), true) + "\n");
  }
  return place.text;
}

std::variant<v1::Gait, world::CommandError> GaitSearches::gait(const RoomHost& room,
                                                               std::optional<std::size_t> cell) {
  const auto lock = watch_.lock();
  const Place& place = place_of(room);
  if (!place.search) return no_search();
  auto found = place.search->gait(cell);
  if (found) return *std::move(found);
  return cell ? world::refuse(Code::kNotFound, "cell", std::to_string(*cell),
                              "the number of a cell that the report lists")
              : world::refuse(Code::kNotFound, "search", "no gait so far: all trials fell",
                              "another moment");
}

std::chrono::milliseconds GaitSearches::look() {
  take_answers();
  std::set<std::string> here;
  for (const auto& room : rooms_.all()) {
    here.insert(room->id());
    Place& place = place_of(*room);
    if (place.search) look_after(*room, place);
  }
  std::erase_if(places_, [&here](auto& one) {
    const bool gone = !here.contains(one.first);
    if (gone && one.second.search) {
      one.second.search->stop();
      one.second.search->forget();
    }
    return gone;
  });
  return kPeriod;
}

void GaitSearches::look_after(RoomHost& room, Place& place) {
  place.search->look();
  show_best(room, place);
}

void GaitSearches::take_answers() {
  std::vector<Answers::One> answers;
  {
    const std::lock_guard lock(answers_->mutex);
    answers.swap(answers_->waiting);
  }
  for (const Answers::One& one : answers) {
    const auto found = places_.find(one.room);
    if (found == places_.end() || found->second.number != one.number) continue;
    found->second.search->note_showing(one.trouble);
  }
}

// Gives the character the best gait so far, and sends it forward the first time.
void GaitSearches::show_best(RoomHost& room, Place& place) {
  const auto best = place.search->best();
  if (!place.shows || !best || *best == place.shown || *best == 0) return;
  const auto now = steady_clock::now();
  const bool running = place.search->runs();
  if (running && place.shown != 0 && now - place.shown_at < kShownFor) return;
  const world::CharacterId id = place.search->file().order().character();
  const auto publication = room.current();
  const world::RosterEntry* entry = entry_of(*publication->snapshot().roster, id);
  if (!entry) return place.search->note_showing("the character that showed it is gone");
  if (entry->controller != "posegraph") {
    return place.search->note_showing("the character has another controller than posegraph");
  }
  auto gait = place.search->gait(std::nullopt);
  if (!gait) return;
  const bool begins = place.shown == 0;
  place.shown = *best;
  place.shown_at = now;
  auto made = world::define_gait(*gait, "");
  if (auto* error = std::get_if<world::CommandError>(&made)) {
    return place.search->note_showing(error->message);
  }
  world::SetGait command{id, "", std::get<0>(std::move(made)), {}};
  room.submit(std::move(command), [answers = answers_, room_id = room.id(),
                                   number = place.number](const world::CommandResult& result) {
    const std::lock_guard lock(answers->mutex);
    answers->waiting.push_back({room_id, number, result.error ? result.error->message : ""});
  });
  if (begins) {
    constexpr double kForward = 1;  // m/s: more than none; its gait says how fast it goes
    room.submit(world::SetVelocity{id, Vec2(kForward, 0), world::Frame::kCharacter}, {});
  }
}

}  // namespace promenade::service
