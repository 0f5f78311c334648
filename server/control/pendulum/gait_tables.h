#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "control/pendulum/gait_store.h"
#include "control/pendulum/pose.h"
#include "control/registry.h"

namespace promenade::control::pendulum {

/// @pre parameters are a v1::PendulumParameters
std::shared_ptr<const Tuning> tuning_of(const Parameters& parameters);

/// Measures how bodies walk in their styles, once each: thousands of light characters share the
/// posers of a few bodies and styles. May be used by many threads at a time.
class GaitTables {
 public:
  /// Of this creature and style. The first call for them takes some tenths of a second, or some
  /// milliseconds where the table is kept.
  /// @param walk  setup of the family gbwc; @pre biped_of(*walk.creature) is ok
  std::shared_ptr<const Poser> poser(const ControllerSetup& walk);
  /// Whether poser() has been asked of them, and has them at hand.
  bool knows(const std::shared_ptr<const Creature>& creature,
             const std::shared_ptr<const Style>& style);
  /// The numbers of a v1::PendulumParameters. All light characters read the same ones.
  std::shared_ptr<const Tuning> tuning(const Parameters& parameters);

  /// Where tables of what note() was told lasts are looked for and kept from now on.
  void use(GaitStore store);
  /// Whether something that was noted is there for good, as a file of the data directory: tables of
  /// two such are kept in the store. Others come and go with edits.
  enum class Lasts : bool { kNo, kYes };
  /// Says what a creature or style was made from: equal ones share their tables.
  void note(const std::shared_ptr<const Creature>& creature, std::string content, Lasts lasts);
  void note(const std::shared_ptr<const Style>& style, std::string content, Lasts lasts);
  /// How many tables were measured so far, and not found.
  std::size_t measured() const { return measured_; }

 private:
  struct Entry {
    std::weak_ptr<const Creature> creature;
    std::weak_ptr<const Style> style;
    Parameters parameters;
    std::once_flag measured;
    std::shared_ptr<const Poser> poser;
    std::atomic<bool> ready{false};
  };
  template <typename Kind>
  struct Noted {
    std::weak_ptr<const Kind> what;
    std::string content;
    Lasts lasts;
  };
  template <typename Kind>
  using Notes = std::map<const Kind*, Noted<Kind>>;
  /// By what a table is kept: the name of its file, and whether it goes into one.
  struct Key {
    std::string name;
    bool lasts = false;
  };
  // Tables of edits that are remembered by content: whoever sends an edit again, or in another
  // room, has it measured once. Each takes some 70 KB.
  static constexpr std::size_t kRemembered = 64;

  /// Drops entries whose creature or style is gone: edits make many.
  std::shared_ptr<Entry> entry(const ControllerSetup& walk);
  std::shared_ptr<const GaitTable> table(const ControllerSetup& walk);
  Key key_of(const ControllerSetup& walk);
  std::shared_ptr<const GaitTable> remembered(const std::string& name);
  void remember(const std::string& name, std::shared_ptr<const GaitTable> table);

  std::mutex mutex_;
  std::vector<std::shared_ptr<Entry>> entries_;
  std::pair<Parameters, std::shared_ptr<const Tuning>> tuning_;  // the last that was asked for
  GaitStore store_;
  Notes<Creature> creatures_;
  Notes<Style> styles_;
  std::list<std::pair<std::string, std::shared_ptr<const GaitTable>>> remembered_;  // newest first
  std::atomic<std::size_t> measured_{0};
};

}  // namespace promenade::control::pendulum
