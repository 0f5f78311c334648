#include "service/searches/gait_studies.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "schema/message.h"
#include "schema/refusal.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

constexpr std::chrono::milliseconds kPeriod{100}, kIdle{1000};

GaitStudies::Text text_of(const v1::GaitStudy& report) {
  return std::make_shared<const std::string>(schema::message_to_json(report, true) + "\n");
}

}  // namespace

GaitStudies::GaitStudies(Rooms& rooms, const std::filesystem::path& data_dir, int threads)
    : rooms_(rooms), place_{rooms.library(), data_dir, {}, threads}, watch_([this](auto& lock) {
        return look(lock);
      }) {}

GaitStudies::~GaitStudies() { stop(); }

void GaitStudies::stop() {
  if (!watch_.end()) return;
  const auto lock = watch_.lock();  // requests may still come
  places_.clear();
  directory_.remove();
}

std::size_t GaitStudies::running() const {
  return std::size_t(std::count_if(places_.begin(), places_.end(), [](const auto& one) {
    return one.second.study && one.second.study->runs();
  }));
}

GaitStudies::Text GaitStudies::told(Place& place) {
  if (place.done) return place.done;
  auto text = text_of(place.study->report());
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
  const auto lock = watch_.lock();
  if (watch_.ends()) {
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
  place_.directory = directory_.make();
  if (place_.directory.empty()) return no_directory("gait-study");
  auto made = GaitStudy::begin(place_, room.id(), order, *entry, place.number + 1);
  if (auto* error = std::get_if<world::CommandError>(&made)) return std::move(*error);
  place.study = std::get<0>(std::move(made));
  place.number = place.study->number();
  place.done.reset();
  watch_.wake();
  return told(place);
}

GaitStudies::Report GaitStudies::stop(const RoomHost& room) {
  const auto lock = watch_.lock();
  Place& place = places_[room.id()];
  if (!place.study) {
    return world::refuse(Code::kNotFound, "gait-study", "none in this room",
                         "a room in which a study of a gait was begun");
  }
  place.study->stop();
  return told(place);
}

GaitStudies::Text GaitStudies::report(const RoomHost& room) {
  const auto lock = watch_.lock();
  Place& place = places_[room.id()];
  if (place.study) return told(place);
  v1::GaitStudy none;
  none.set_room(room.id());
  none.set_state(v1::RoomSearch::NONE);
  return std::make_shared<const std::string>(schema::message_to_json(none, true) + "\n");
}

std::chrono::milliseconds GaitStudies::look(std::unique_lock<std::mutex>& lock) {
  std::set<std::string> here;
  for (const auto& room : rooms_.all()) here.insert(room->id());
  std::erase_if(places_, [&here](const auto& one) { return !here.contains(one.first); });
  std::vector<std::string> left;  // rooms whose study's process has left its report
  for (auto& [id, place] : places_) {
    if (place.study && place.study->look()) left.push_back(id);
  }
  for (const std::string& id : left) take_result(lock, id);
  return running() > 0 ? kPeriod : kIdle;
}

// A report of some megabytes takes longer to read than a request should wait.
void GaitStudies::take_result(std::unique_lock<std::mutex>& lock, const std::string& room) {
  const auto known = places_.find(room);
  if (known == places_.end() || !known->second.study) return;
  v1::GaitStudy report = known->second.study->report();
  const std::filesystem::path file = known->second.study->report_file();
  lock.unlock();
  GaitStudy::read_result(file, report);
  const auto text = text_of(report);
  lock.lock();
  // Meanwhile it may have been stopped, and another one begun.
  const auto place = places_.find(room);
  if (place == places_.end() || !place->second.study) return;
  GaitStudy& study = *place->second.study;
  if (!study.runs() || study.report().id() != report.id()) return;
  study.take_result(std::move(report));
  place->second.done = text;
}

}  // namespace promenade::service
