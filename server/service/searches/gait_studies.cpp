#include "service/searches/gait_studies.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <system_error>

#include "schema/message.h"
#include "schema/refusal.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

constexpr std::chrono::milliseconds kPeriod{100}, kIdle{1000};

}  // namespace

GaitStudies::GaitStudies(Rooms& rooms, const std::filesystem::path& data_dir, int threads)
    : rooms_(rooms),
      place_{rooms.library(), data_dir,
             std::filesystem::temp_directory_path() /
                 ("promenade-studies-" + std::to_string(::getpid())),
             threads},
      thread_([this] { run(); }) {}

GaitStudies::~GaitStudies() { stop(); }

void GaitStudies::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  {
    const std::lock_guard lock(mutex_);  // requests may still come
    places_.clear();
  }
  std::error_code ignored;
  std::filesystem::remove_all(place_.directory, ignored);
}

std::size_t GaitStudies::running() const {
  return std::size_t(std::count_if(places_.begin(), places_.end(), [](const auto& one) {
    return one.second.study && one.second.study->runs();
  }));
}

GaitStudies::Text GaitStudies::told(Place& place) {
  if (place.done) return place.done;
  auto text = std::make_shared<const std::string>(
      schema::message_to_json(place.study->report(), true) + "\n");
  if (!place.study->runs()) place.done = text;
  return text;
}

GaitStudies::Report GaitStudies::begin(const RoomHost& room, const v1::GaitStudyOrder& order) {
  const auto publication = room.current();
  const auto& entries = publication->snapshot().roster->entries;
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& one) { return one.id == order.character(); });
  if (entry == entries.end()) {
    return world::refuse(Code::kNotFound, "character", std::to_string(order.character()),
                         "the id of a character in the roster");
  }
  const std::lock_guard lock(mutex_);
  if (stopping_) {
    return world::refuse(Code::kBusy, "gait-study", "the server ends", "another time");
  }
  Place& place = places_[room.id()];
  if (place.study && place.study->runs()) {
    return world::refuse(Code::kConflict, "gait-study", "one runs in this room",
                         "a room without one; stop it first");
  }
  if (running() >= kMostRunning) {
    return world::refuse(Code::kBusy, "gait-study",
                         std::to_string(running()) + " run on this server",
                         "up to " + std::to_string(kMostRunning) + "; wait until one has ended");
  }
  auto made = GaitStudy::begin(place_, room.id(), order, *entry, place.number + 1);
  if (auto* error = std::get_if<world::CommandError>(&made)) return std::move(*error);
  place.study = std::get<0>(std::move(made));
  place.number = place.study->number();
  place.done.reset();
  wake_.notify_all();
  return told(place);
}

GaitStudies::Report GaitStudies::stop(const RoomHost& room) {
  const std::lock_guard lock(mutex_);
  Place& place = places_[room.id()];
  if (!place.study) {
    return world::refuse(Code::kNotFound, "gait-study", "none in this room",
                         "a room in which a study of a gait was begun");
  }
  place.study->stop();
  return told(place);
}

GaitStudies::Text GaitStudies::report(const RoomHost& room) {
  const std::lock_guard lock(mutex_);
  Place& place = places_[room.id()];
  if (place.study) return told(place);
  v1::GaitStudy none;
  none.set_room(room.id());
  none.set_state(v1::RoomSearch::NONE);
  return std::make_shared<const std::string>(schema::message_to_json(none, true) + "\n");
}

void GaitStudies::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    std::set<std::string> here;
    for (const auto& room : rooms_.all()) here.insert(room->id());
    std::erase_if(places_, [&here](const auto& one) { return !here.contains(one.first); });
    for (auto& [id, place] : places_) {
      if (place.study) place.study->look();
    }
    wake_.wait_for(lock, running() > 0 ? kPeriod : kIdle);
  }
}

}  // namespace promenade::service
