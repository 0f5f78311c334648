#include "service/store/saved.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "api/replies.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "service/store/catalogue.h"
#include "service/utc.h"
#include "stream/catalogue.h"
#include "stream/scene.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using store::Kind;
using store::Outcome;
using world::CommandError;

using store::kind_name;

CommandError broken(const std::string& why) {
  spdlog::error("{}", why);
  return api::make_error(Code::kInternal, "the server could not use its store: " + why, "store",
                         why, "the same request once this is mended");
}

CommandError no_room(const std::string& why) {
  spdlog::warn("not saved: {}", why);
  return api::make_error(Code::kBusy,
                         "nothing can be saved now, as the server's disk has no room: " + why,
                         "store", "no room on the disk", "the same request once there is room");
}

enum class Wish { kSave, kDelete };

CommandError conflict(Wish wish, Kind kind, const std::string& name, std::uint32_t based_on,
                      std::uint32_t newest) {
  const std::string what = std::string("the ") + kind_name(kind) + " " + name;
  std::string message, allowed = std::to_string(newest);
  if (wish == Wish::kDelete) {
    message = what + ": version " + std::to_string(based_on) + " is not its newest, " + allowed +
              " is; send that version, or none to delete the newest whatever it is";
  } else if (newest == 0) {
    message = what + " is not saved or was deleted; to save it as new, send version 0";
  } else if (based_on == 0) {
    message =
        what + " exists; to save a new version, send the version that it is based on, " + allowed;
  } else {
    message = what + ": version " + std::to_string(based_on) + " is not its newest, " + allowed +
              " is; someone may have saved it in the meantime";
  }
  return api::make_error(Code::kConflict, message, "version", std::to_string(based_on), allowed);
}

CommandError too_large(std::size_t bytes, std::int64_t most) {
  const std::string all = std::to_string(most >> 20) + " MB";
  return api::make_error(Code::kConflict,
                         "the store is full: it may hold " + all +
                             "; to save more, whoever runs the server must raise --max-store",
                         "request body", std::to_string(bytes) + " bytes more",
                         all + " in all, see --max-store");
}

CommandError not_saved(Kind kind, const std::string& name) {
  return api::make_error(Code::kNotFound,
                         std::string("no ") + kind_name(kind) + " of that name is saved", "name",
                         schema::in_quotes(name), "a name that the catalogue lists as saved");
}

/// @param said  name, title, description and colour from the definition; empty for a deletion
v1::CatalogueEntry record_entry(const store::Record& record, v1::CatalogueEntry said) {
  said.set_name(record.name);
  said.set_version(record.version);
  said.set_saved_at(utc_text(record.saved_at_ms));
  said.set_deleted(record.deleted);
  return said;
}
v1::CatalogueEntry record_entry(const store::Record& record, const v1::StyleRecord& content) {
  return record_entry(record, entry_of(content.definition()));
}
v1::CatalogueEntry record_entry(const store::Record& record, const v1::BodyRecord& content) {
  return record_entry(record, entry_of(content.resolved()));
}

v1::CatalogueEntry record_entry(const store::Record& record, const v1::GaitRecord& content) {
  return record_entry(record, entry_of(content.definition()));
}

template <typename Message>
std::optional<v1::CatalogueEntry> read_entry(const store::Record& record) {
  const auto content = schema::parse_message<Message>(record.content);
  if (!content) return std::nullopt;
  return record_entry(record, *content);
}

/// The entry of a record, with title and description if its content can be read: a deletion has
/// none, and a newer program may have written what this one cannot read.
v1::CatalogueEntry listed(Kind kind, const store::Record& record) {
  const auto found = kind == Kind::kStyle  ? read_entry<v1::StyleRecord>(record)
                     : kind == Kind::kBody ? read_entry<v1::BodyRecord>(record)
                                           : read_entry<v1::GaitRecord>(record);
  return found ? *found : record_entry(record, v1::CatalogueEntry());
}

}  // namespace

// All versions in force. Replaced as a whole.
struct SavedDefinitions::Contents {
  template <typename Definition>
  struct Saved {
    std::shared_ptr<const Definition> definition;
    v1::CatalogueEntry entry;
  };
  std::map<std::string, Saved<world::StyleDefinition>> styles;  // saved ones, as the next
  std::map<std::string, Saved<world::CreatureDefinition>> bodies;
  std::map<std::string, Saved<world::GaitDefinition>> gaits;
  BodiesById by_id;
  std::shared_ptr<const Version<v1::Catalogue>> catalogue;
};

SavedDefinitions::SavedDefinitions(std::shared_ptr<const Library> library,
                                   const std::filesystem::path& file, std::int64_t max_bytes)
    : library_(std::move(library)), file_(file), max_bytes_(max_bytes) {
  try {
    store_ = std::make_unique<store::Store>(file, max_bytes);
  } catch (const store::StoreError& error) {
    if (!error.no_room) throw;
    closed_ = error.what();
    spdlog::error("{}; nothing can be saved until there is room on the disk", closed_);
    store_ = store::Store::copy_in_memory(file, closed_);
  }
  const auto add = [this](const auto& definition) { built_in_[definition->id] = definition; };
  for (const std::string& name : library_->bodies().names()) add(library_->find_creature(name));
  for (const std::string& name : library_->things().names()) add(library_->find_thing(name));
  reload(*store_);
  note_size();
}

SavedDefinitions::~SavedDefinitions() { stop(); }

void SavedDefinitions::stop() {
  worker_.stop();
  store_.reset();
}

std::string SavedDefinitions::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void SavedDefinitions::open_again() {
  try {
    store_ = std::make_unique<store::Store>(file_, max_bytes_);
  } catch (const store::StoreError&) {
    return;  // told at the start
  }
  {
    const std::lock_guard lock(mutex_);
    closed_.clear();
  }
  spdlog::info("there is room on the disk again: the store {} is open", file_.string());
  reload(*store_);
  note_size();
}

void SavedDefinitions::submit(Job job) {
  const auto refuse = job.refuse;
  const bool taken = worker_.submit([this, job = std::move(job)] {
    try {
      job.work(*store_);
    } catch (const store::StoreError& error) {
      if (job.refuse) job.refuse(error.no_room ? no_room(error.what()) : broken(error.what()));
    } catch (const std::exception& error) {
      if (job.refuse) job.refuse(broken(error.what()));
    }
    note_size();
  });
  if (taken || !refuse) return;
  refuse(api::make_error(Code::kBusy, "the store has too many jobs waiting; try again shortly",
                         "store", "more than " + std::to_string(Worker::kMaxJobs) + " waiting",
                         "the same a moment later"));
}

void SavedDefinitions::note_size() {
  try {
    used_bytes_ = store_->used_bytes();
  } catch (const store::StoreError&) {
    // The next caller that needs the store is told.
  }
}

void SavedDefinitions::on_change(std::function<void()> callback) { changed_ = std::move(callback); }

std::shared_ptr<const SavedDefinitions::Contents> SavedDefinitions::contents() const {
  const std::lock_guard lock(mutex_);
  return contents_;
}

void SavedDefinitions::take(Kind kind, const store::Record& record, Contents& into) const {
  // A definition that cannot be used stays in the store, and its versions can be read.
  const auto leave_out = [&](const std::string& why) {
    spdlog::warn("the saved {} {} (version {}) is ignored: {}", kind_name(kind), record.name,
                 record.version, why);
  };
  const bool taken = kind == Kind::kStyle  ? library_->find_style(record.name) != nullptr
                     : kind == Kind::kBody ? library_->find_creature(record.name) != nullptr
                                           : library_->find_gait(record.name) != nullptr;
  if (taken) return leave_out("a built-in one now has its name");
  // Puts a definition that was made of a record's content among those of its kind.
  const auto keep = [&](auto made, const auto& content, auto& among, const auto& finish) {
    if (const auto* error = std::get_if<CommandError>(&made)) return leave_out(error->message);
    auto definition = *std::get<0>(made);
    finish(definition);
    definition.origin = world::Origin::kSaved;
    definition.version = record.version;
    among[record.name] = {std::make_shared<const decltype(definition)>(definition),
                          record_entry(record, content)};
  };
  const auto as_made = [](auto&) {};
  if (kind == Kind::kStyle) {
    const auto content = schema::parse_message<v1::StyleRecord>(record.content);
    if (!content) return leave_out(content.error().what());
    keep(world::define_style(content->definition(), ""), *content, into.styles, as_made);
  } else if (kind == Kind::kGait) {
    const auto content = schema::parse_message<v1::GaitRecord>(record.content);
    if (!content) return leave_out(content.error().what());
    keep(world::define_gait(content->definition(), ""), *content, into.gaits, as_made);
  } else {
    const auto content = schema::parse_message<v1::BodyRecord>(record.content);
    if (!content) return leave_out(content.error().what());
    keep(world::define_creature(content->resolved(), *library_, ""), *content, into.bodies,
         [&](world::CreatureDefinition& definition) {
           definition.given = content->definition();
           // Keeps the shape it was saved with, whatever becomes of its base.
           definition.fixed = true;
         });
  }
}

void SavedDefinitions::publish(std::shared_ptr<Contents> next) {
  auto catalogue = std::make_shared<v1::Catalogue>(library_catalogue(*library_));
  for (const auto& [name, style] : next->styles) *catalogue->add_styles() = style.entry;
  for (const auto& [name, gait] : next->gaits) *catalogue->add_gaits() = gait.entry;
  next->by_id.clear();
  for (const auto& [name, body] : next->bodies) {
    add_body(body.entry, *body.definition, catalogue.get());
    next->by_id[body.definition->id] = body.definition;
  }
  for (auto* entries :
       {catalogue->mutable_styles(), catalogue->mutable_bodies(), catalogue->mutable_gaits()}) {
    std::sort(entries->begin(), entries->end(),
              [](const auto& a, const auto& b) { return a.name() < b.name(); });
  }
  const auto last = contents();
  const std::uint64_t revision = last ? last->catalogue->number() + 1 : 1;
  catalogue->set_revision(revision);
  next->catalogue = std::make_shared<const Version<v1::Catalogue>>(
      revision, std::move(catalogue), stream::encode_catalogue, stream::encode_catalogue_change);
  {
    const std::lock_guard lock(mutex_);
    contents_ = std::move(next);
  }
  if (changed_) changed_();
}

void SavedDefinitions::look_for_changes(store::Store& store) {
  // This runs twice a second, so trouble is logged when it begins and when it is over.
  try {
    if (store.foreign_changes() != foreign_) reload(store);
    if (unreadable_) spdlog::info("the store can be read again");
    unreadable_ = false;
  } catch (const store::StoreError& error) {
    if (!unreadable_) spdlog::error("cannot see what other servers save: {}", error.what());
    unreadable_ = true;
  }
}

void SavedDefinitions::reload(store::Store& store) {
  auto next = std::make_shared<Contents>();
  const std::int64_t changes = store.foreign_changes();
  for (const Kind kind : {Kind::kStyle, Kind::kBody, Kind::kGait}) {
    for (const store::Record& record : store.in_force(kind)) take(kind, record, *next);
  }
  foreign_ = changes;  // set last, so that what could not be read is read again
  publish(std::move(next));
}

void SavedDefinitions::replace(Kind kind, const store::Record& record) {
  auto next = std::make_shared<Contents>(*contents());
  if (kind == Kind::kStyle) next->styles.erase(record.name);
  if (kind == Kind::kBody) next->bodies.erase(record.name);
  if (kind == Kind::kGait) next->gaits.erase(record.name);
  if (!record.deleted) take(kind, record, *next);
  publish(std::move(next));
}

std::shared_ptr<const world::StyleDefinition> SavedDefinitions::find_style(
    const std::string& name) const {
  if (auto built_in = library_->find_style(name)) return built_in;
  const auto now = contents();
  const auto found = now->styles.find(name);
  return found == now->styles.end() ? nullptr : found->second.definition;
}

std::shared_ptr<const world::CreatureDefinition> SavedDefinitions::find_creature(
    const std::string& name) const {
  if (auto built_in = library_->find_creature(name)) return built_in;
  const auto now = contents();
  const auto found = now->bodies.find(name);
  return found == now->bodies.end() ? nullptr : found->second.definition;
}

std::shared_ptr<const world::GaitDefinition> SavedDefinitions::find_gait(
    const std::string& name) const {
  if (auto built_in = library_->find_gait(name)) return built_in;
  const auto now = contents();
  const auto found = now->gaits.find(name);
  return found == now->gaits.end() ? nullptr : found->second.definition;
}

std::string SavedDefinitions::known_gaits(const std::string& creature) const {
  std::vector<std::string> names;
  const auto now = catalogue();
  for (const auto& entry : now->gaits()) {
    if (creature.empty() || entry.creature() == creature) names.push_back(entry.name());
  }
  return names.empty() ? "none: it has no gait" : schema::listed_names(names);
}

std::string SavedDefinitions::known_styles() const {
  std::vector<std::string> names;
  const auto now = catalogue();
  for (const auto& entry : now->styles()) names.push_back(entry.name());
  return schema::listed_names(names);
}

std::string SavedDefinitions::known_creatures() const {
  std::vector<std::string> names;
  const auto now = catalogue();
  for (const auto& entry : now->bodies()) names.push_back(entry.name());
  return schema::listed_names(names);
}

std::shared_ptr<const v1::Catalogue> SavedDefinitions::catalogue() const {
  return contents()->catalogue->shared();
}

std::shared_ptr<const Version<v1::Catalogue>> SavedDefinitions::catalogue_version() const {
  return contents()->catalogue;
}

std::shared_ptr<const world::CreatureDefinition> SavedDefinitions::find_body(
    std::uint64_t id) const {
  if (const auto found = built_in_.find(id); found != built_in_.end()) return found->second;
  const auto now = contents();
  const auto found = now->by_id.find(id);
  return found == now->by_id.end() ? nullptr : found->second;
}

std::optional<v1::CatalogueEntry> find_entry(const v1::Catalogue& catalogue, Kind kind,
                                             const std::string& name) {
  const auto& entries = kind == Kind::kStyle  ? catalogue.styles()
                        : kind == Kind::kBody ? catalogue.bodies()
                                              : catalogue.gaits();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&name](const auto& entry) { return entry.name() == name; });
  return found == entries.end() ? std::nullopt : std::optional(*found);
}

void SavedDefinitions::save(const world::StyleDefinition& style, std::uint32_t based_on,
                            Reply<v1::CatalogueEntry> reply) {
  v1::StyleRecord record;
  *record.mutable_definition() = style.message;
  put(Kind::kStyle, style.style->name, schema::message_to_json(record), based_on, std::move(reply));
}

void SavedDefinitions::save(const world::CreatureDefinition& body, std::uint32_t based_on,
                            Reply<v1::CatalogueEntry> reply) {
  v1::BodyRecord record;
  *record.mutable_definition() = body.given;
  *record.mutable_resolved() = body.whole;
  put(Kind::kBody, body.body->name, schema::message_to_json(record), based_on, std::move(reply));
}

void SavedDefinitions::save(const world::GaitDefinition& gait, std::uint32_t based_on,
                            Reply<v1::CatalogueEntry> reply) {
  v1::GaitRecord record;
  *record.mutable_definition() = gait.message;
  put(Kind::kGait, gait.message.name(), schema::message_to_json(record), based_on,
      std::move(reply));
}

void SavedDefinitions::put(Kind kind, const std::string& name, std::string content,
                           std::uint32_t based_on, Reply<v1::CatalogueEntry> reply) {
  submit({[this, kind, name, content = std::move(content), based_on, reply](store::Store& store) {
            const Outcome outcome = store.save(kind, name, content, based_on);
            switch (outcome.what) {
              case Outcome::What::kConflict:
                return reply(conflict(Wish::kSave, kind, name, based_on, outcome.newest));
              case Outcome::What::kFull:
                return reply(api::make_error(
                    Code::kConflict, "the store is full; delete what is no longer needed", "name",
                    schema::in_quotes(name),
                    "one of the " + std::to_string(store::Store::kMaxNames) + " names there are"));
              case Outcome::What::kTooLarge:
                return reply(too_large(content.size(), max_bytes_));
              case Outcome::What::kNotThere:
              case Outcome::What::kDone:
                break;
            }
            replace(kind, outcome.record);
            const auto entry = find_entry(*catalogue(), kind, name);
            reply(entry ? *entry : listed(kind, outcome.record));
          },
          std::move(reply)});
}

void SavedDefinitions::remove(Kind kind, const std::string& name,
                              std::optional<std::uint32_t> based_on,
                              Reply<v1::CatalogueEntry> reply) {
  submit({[this, kind, name, based_on, reply](store::Store& store) {
            const Outcome outcome = store.remove(kind, name, based_on);
            if (outcome.what == Outcome::What::kNotThere) {
              return reply(not_saved(kind, name));
            }
            if (outcome.what == Outcome::What::kConflict) {
              return reply(conflict(Wish::kDelete, kind, name, *based_on, outcome.newest));
            }
            replace(kind, outcome.record);
            reply(listed(kind, outcome.record));
          },
          std::move(reply)});
}

void SavedDefinitions::versions(Kind kind, const std::string& name,
                                Reply<v1::CatalogueList> reply) {
  submit({[kind, name, reply](store::Store& store) {
            v1::CatalogueList list;
            for (const store::Record& record : store.versions(kind, name)) {
              *list.add_entries() = listed(kind, record);
            }
            if (list.entries().empty()) return reply(not_saved(kind, name));
            reply(std::move(list));
          },
          std::move(reply)});
}

template <typename Record>
void SavedDefinitions::find_record(Kind kind, const std::string& name, std::uint32_t version,
                                   Reply<Record> reply) {
  submit({[kind, name, version, reply](store::Store& store) {
            const auto record = store.find(kind, name, version);
            if (!record || record->deleted) {
              const std::string number = std::to_string(version);
              return reply(api::make_error(
                  Code::kNotFound,
                  std::string("the ") + kind_name(kind) + " " + name +
                      (record ? ": version " + number + " is a deletion"
                              : " has no version " + number),
                  "version", number, "one that GET .../versions lists and that is no deletion"));
            }
            auto message = schema::parse_message<Record>(record->content);
            if (!message) return reply(broken(message.error().what()));
            *message->mutable_info() = record_entry(*record, *message);
            reply(*std::move(message));
          },
          std::move(reply)});
}

void SavedDefinitions::find_version(const std::string& name, std::uint32_t version,
                                    Reply<v1::StyleRecord> reply) {
  find_record<v1::StyleRecord>(Kind::kStyle, name, version, std::move(reply));
}

void SavedDefinitions::find_version(const std::string& name, std::uint32_t version,
                                    Reply<v1::BodyRecord> reply) {
  find_record<v1::BodyRecord>(Kind::kBody, name, version, std::move(reply));
}

void SavedDefinitions::find_version(const std::string& name, std::uint32_t version,
                                    Reply<v1::GaitRecord> reply) {
  find_record<v1::GaitRecord>(Kind::kGait, name, version, std::move(reply));
}

void SavedDefinitions::use_records(std::function<void(store::Records&)> work,
                                   std::function<void(CommandError)> refuse) {
  submit({[work = std::move(work)](store::Store& store) { work(store.records()); },
          std::move(refuse)});
}

void SavedDefinitions::poll() {
  if (polling_.exchange(true)) return;
  const bool taken = worker_.submit([this] {
    polling_ = false;
    if (!store_->closed().empty()) return open_again();
    look_for_changes(*store_);
  });
  if (!taken) polling_ = false;
}

}  // namespace promenade::service
