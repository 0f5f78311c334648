#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "net/types.h"
#include "promenade/v1/api.pb.h"
#include "promenade/v1/wire.pb.h"
#include "store/store.h"
#include "world/definitions.h"
#include "world/library.h"

namespace promenade::service {

/// Of a name in the catalogue; nothing if it is not there.
std::optional<v1::CatalogueEntry> find_entry(const v1::Catalogue& catalogue, store::Kind kind,
                                             const std::string& name);

/// The definitions of a library and those that people have saved: in a file, the newest versions
/// in memory. Looking up never waits. A thread of its own reads and writes the file; calls that
/// need it are answered through a callback on that thread.
class SavedDefinitions : public world::Definitions {
 public:
  template <typename T>
  using Reply = std::function<void(std::variant<T, world::CommandError>)>;

  /// Opens the store. Throws store::StoreError.
  SavedDefinitions(std::shared_ptr<const Library> library, const std::filesystem::path& file);
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

  /// All names and the versions they stand for now.
  std::shared_ptr<const v1::Catalogue> catalogue() const;
  /// A ServerMessage with the catalogue.
  net::Bytes catalogue_bytes() const;
  /// Sets what is called on the store's thread after every change of the catalogue. @pre nothing
  /// has
  /// been saved yet
  void on_change(std::function<void()> callback);

  /// Saves a version of a style; the definition is checked already. The reply comes when it is on
  /// the disk.
  /// @param based_on  the version in force that the caller knows; 0: the name is new
  void save(const world::StyleDefinition& style, std::uint32_t based_on,
            Reply<v1::CatalogueEntry> reply);
  void save(const world::CreatureDefinition& body, std::uint32_t based_on,
            Reply<v1::CatalogueEntry> reply);
  void remove(store::Kind kind, const std::string& name, std::optional<std::uint32_t> based_on,
              Reply<v1::CatalogueEntry> reply);
  void versions(store::Kind kind, const std::string& name, Reply<v1::CatalogueList> reply);
  void find_version(const std::string& name, std::uint32_t version, Reply<v1::StyleRecord> reply);
  void find_version(const std::string& name, std::uint32_t version, Reply<v1::BodyRecord> reply);

  /// Looks for what other processes have saved in the same file. Call every half second or so.
  void poll();
  /// Finishes the jobs that wait, then closes the store; later ones are refused. Idempotent.
  void stop();

 private:
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
  void run();
  // On the store's thread: makes a record ready for use and puts it into `into`.
  void take(store::Kind kind, const store::Record& record, Contents& into) const;
  void publish(std::shared_ptr<Contents> next);
  void look_for_changes(store::Store& store);
  void reload(store::Store& store);
  void replace(store::Kind kind, const store::Record& record);
  std::shared_ptr<const Contents> contents() const;

  const std::shared_ptr<const Library> library_;
  std::unique_ptr<store::Store> store_;  // of the thread, once it runs
  std::function<void()> changed_;
  std::int64_t foreign_ = 0;  // on the store's thread, as the next
  bool unreadable_ = false;   // when it was last looked at

  mutable std::mutex mutex_;  // guards what follows; held for moments only
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool stopping_ = false;
  bool polling_ = false;
  std::shared_ptr<const Contents> contents_;
  std::thread thread_;
};

}  // namespace promenade::service
