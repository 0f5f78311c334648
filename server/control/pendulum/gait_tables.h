#pragma once

#include <atomic>
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
  /// The poser of this creature and style. The first call for them takes some tenths of a second,
  /// or some milliseconds where the table is kept.
  /// @param walk  setup of the family gbwc; @pre biped_of(*walk.creature) is ok
  std::shared_ptr<const Poser> poser(const ControllerSetup& walk);
  /// Whether poser() has it and returns at once.
  bool knows(const ControllerSetup& walk);
  /// The numbers of a v1::PendulumParameters. All light characters read the same ones.
  std::shared_ptr<const Tuning> tuning(const Parameters& parameters);

  /// Where tables are looked for and kept from now on, of creatures and styles that were noted.
  void use(GaitStore store);
  /// Says what a creature or style was made from that is there for good, as a file of the data
  /// directory; others come and go with edits, and nobody fills a disk with tables of these.
  void note(const std::shared_ptr<const Creature>& creature, std::string content);
  void note(const std::shared_ptr<const Style>& style, std::string content);
  /// How many tables were measured so far, and not found.
  std::size_t measured() const { return measured_; }

 private:
  struct Entry {
    std::weak_ptr<const Creature> creature;
    std::weak_ptr<const Style> style;
    Parameters parameters;
    std::once_flag measured;
    std::atomic<bool> known{false};
    std::shared_ptr<const Poser> poser;
  };
  template <typename Kind>
  struct Noted {
    std::weak_ptr<const Kind> what;
    std::string content;
  };
  template <typename Kind>
  using Notes = std::map<const Kind*, Noted<Kind>>;
  /// The entry for a walk; drops those whose creature or style is gone: edits make many.
  std::shared_ptr<Entry> entry(const ControllerSetup& walk);
  /// Null where there is none. @pre the lock is held
  std::shared_ptr<Entry> find_entry(const ControllerSetup& walk) const;
  std::shared_ptr<const GaitTable> table(const ControllerSetup& walk);
  /// @return by what its table is kept; empty where it is not
  std::string name_of(const ControllerSetup& walk);

  std::mutex mutex_;
  std::vector<std::shared_ptr<Entry>> entries_;
  std::pair<Parameters, std::shared_ptr<const Tuning>> tuning_;  // the last that was asked for
  GaitStore store_;
  Notes<Creature> creatures_;
  Notes<Style> styles_;
  std::atomic<std::size_t> measured_{0};
};

}  // namespace promenade::control::pendulum
