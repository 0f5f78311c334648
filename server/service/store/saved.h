#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "promenade/v1/api.pb.h"
#include "promenade/v1/wire.pb.h"
#include "service/version.h"
#include "service/worker.h"
#include "store/store.h"
#include "world/library/definitions.h"
#include "world/library/library.h"

namespace promenade::service {

/// The entry of a name in the catalogue; nothing if it is not there.
std::optional<v1::CatalogueEntry> find_entry(const v1::Catalogue& catalogue, store::Kind kind,
                                             const std::string& name);

/// The definitions of a library and those that people have saved: in a file, the newest versions
/// in memory. Looking up never waits. A thread of its own reads and writes the file; calls that
/// need it are answered through a callback on that thread.
class SavedDefinitions : public world::Definitions {
 public:
  template <typename T>
  using Reply = std::function<void(std::variant<T, world::CommandError>)>;

  /// Opens the store. Throws store::StoreError, but not where there is no room on the disk: then
  /// definitions that can be read are there, saves are refused, and poll() tries again.
  /// @param max_bytes  of the store, in all
  SavedDefinitions(std::shared_ptr<const Library> library, const std::filesystem::path& file,
                   std::int64_t max_bytes = std::int64_t{512} << 20);
  ~SavedDefinitions() override;  // stop()

  // Any thread, as all below.
  std::shared_ptr<const world::StyleDefinition> find_style(const std::string& name) const override;
  std::shared_ptr<const world::CreatureDefinition> find_creature(
      const std::string& name) const override;
  std::string known_styles() const override;
  std::string known_creatures() const override;
  std::shared_ptr<const world::CreatureDefinition> find_thing(
      const std::string& name) const override {
    return library_->find_thing(name);
  }
  std::string known_things() const override { return library_->known_things(); }
  std::shared_ptr<const world::GaitDefinition> find_gait(const std::string& name) const override;
  std::string known_gaits(const std::string& creature) const override;
  const v1::TaskParameters& tasks() const override { return library_->tasks(); }

  /// All names and the versions they stand for now.
  std::shared_ptr<const v1::Catalogue> catalogue() const;
  /// The catalogue as viewers are told of it.
  std::shared_ptr<const Version<v1::Catalogue>> catalogue_version() const;
  /// A creature or thing that is built in, or the newest version of a saved body; null if none of
  /// them has that id.
  std::shared_ptr<const world::CreatureDefinition> find_body(std::uint64_t id) const;
  /// Sets a callback for the store's thread, called after every change of the catalogue. @pre
  /// nothing has been saved yet
  void on_change(std::function<void()> callback);

  /// Saves a version of a style; the definition is checked already. The reply comes when it is on
  /// the disk.
  /// @param based_on  the version in force that the caller knows; 0: the name is new
  void save(const world::StyleDefinition& style, std::uint32_t based_on,
            Reply<v1::CatalogueEntry> reply);
  void save(const world::CreatureDefinition& body, std::uint32_t based_on,
            Reply<v1::CatalogueEntry> reply);
  void save(const world::GaitDefinition& gait, std::uint32_t based_on,
            Reply<v1::CatalogueEntry> reply);
  void remove(store::Kind kind, const std::string& name, std::optional<std::uint32_t> based_on,
              Reply<v1::CatalogueEntry> reply);
  void versions(store::Kind kind, const std::string& name, Reply<v1::CatalogueList> reply);
  void find_version(const std::string& name, std::uint32_t version, Reply<v1::StyleRecord> reply);
  void find_version(const std::string& name, std::uint32_t version, Reply<v1::BodyRecord> reply);
  void find_version(const std::string& name, std::uint32_t version, Reply<v1::GaitRecord> reply);

  /// Uses the store's other texts on the store's thread.
  /// @param refuse  gets the error where the work could not be done; may be empty
  void use_records(std::function<void(store::Records&)> work,
                   std::function<void(world::CommandError)> refuse);

  /// Why nothing can be saved; empty: it can.
  std::string closed() const;

  struct Figures {
    std::int64_t bytes = 0;   // in use in the store, when it last changed
    std::size_t waiting = 0;  // jobs for it
  };
  Figures figures() const { return {used_bytes_, worker_.waiting()}; }

  /// Looks for what other processes have saved in the same file. Call every half second or so.
  void poll();
  /// Finishes the jobs that wait, then closes the store; later ones are refused. Idempotent.
  void stop();

 private:
  using BodiesById =
      std::unordered_map<std::uint64_t, std::shared_ptr<const world::CreatureDefinition>>;
  struct Contents;
  struct Job {
    std::function<void(store::Store&)> work;
    std::function<void(world::CommandError)> refuse;  // may be empty
  };

  void put(store::Kind kind, const std::string& name, std::string content, std::uint32_t based_on,
           Reply<v1::CatalogueEntry> reply);
  template <typename Record>
  void find_record(store::Kind kind, const std::string& name, std::uint32_t version,
                   Reply<Record> reply);
  void submit(Job job);
  void open_again();  // on the store's thread, as the next
  void note_size();
  // On the store's thread: makes a record ready for use and puts it into `into`.
  void take(store::Kind kind, const store::Record& record, Contents& into) const;
  void publish(std::shared_ptr<Contents> next);
  void look_for_changes(store::Store& store);
  void reload(store::Store& store);
  void replace(store::Kind kind, const store::Record& record);
  std::shared_ptr<const Contents> contents() const;

  const std::shared_ptr<const Library> library_;
  const std::filesystem::path file_;
  const std::int64_t max_bytes_;
  BodiesById built_in_;
  std::unique_ptr<store::Store> store_;  // of the worker, once it runs
  std::function<void()> changed_;
  std::int64_t foreign_ = 0;  // on the store's thread, as the next
  bool unreadable_ = false;   // when it was last looked at

  mutable std::mutex mutex_;  // guards what follows; held for moments only
  std::shared_ptr<const Contents> contents_;
  std::string closed_;
  std::atomic<std::int64_t> used_bytes_{0};
  std::atomic<bool> polling_{false};  // a look for others' changes waits for its turn
  Worker worker_;                     // last: ends before what it uses
};

}  // namespace promenade::service
