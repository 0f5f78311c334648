// A member that is added to what is told of a room must reach the viewers of a room in another
// process, too: what `exchange` names is held against the number of members.
#include <gtest/gtest.h>

#include <boost/pfr.hpp>
#include <cstddef>

#include "world/showing/snapshot.h"

namespace promenade::world {
namespace {

/// Takes the place of an archive and counts what it is given.
class Counter {
 public:
  template <typename... Values>
  void operator()(Values&...) {
    count += sizeof...(Values);
  }
  std::size_t count = 0;
};

template <typename T>
std::size_t exchanged() {
  T value;
  Counter counter;
  value.exchange(counter);
  return counter.count;
}

template <typename T>
constexpr std::size_t kMembers = boost::pfr::tuple_size_v<T>;

TEST(SnapshotMembers, AreAllExchanged) {
  EXPECT_EQ(exchanged<behaviour::tasks::Task>(), kMembers<behaviour::tasks::Task>);
  EXPECT_EQ(exchanged<FlowFigures>(), kMembers<FlowFigures>);
  EXPECT_EQ(exchanged<ThingSnapshot>(), kMembers<ThingSnapshot>);
  EXPECT_EQ(exchanged<TaskListSnapshot>(), kMembers<TaskListSnapshot>);
  EXPECT_EQ(exchanged<TaskListSnapshot::Progress>(), kMembers<TaskListSnapshot::Progress>);
  EXPECT_EQ(exchanged<ContactSnapshot>(), kMembers<ContactSnapshot>);
}

TEST(SnapshotMembers, OfOthersAreExchangedInTheirPlace) {
  control::ControlReport report;
  Counter of_report;
  report.visit(of_report);
  EXPECT_EQ(of_report.count, kMembers<control::ControlReport>);
  // The report's members stand for the report.
  EXPECT_EQ(exchanged<CharacterSnapshot>(), kMembers<CharacterSnapshot> - 1 + of_report.count);
  EXPECT_EQ(exchanged<TieEntry>(), kMembers<TieEntry> - 2 + 2 * kMembers<TieEntry::End>);
}

TEST(SnapshotMembers, AreAllExchangedButDefinitionsAndTheRoster) {
  EXPECT_EQ(exchanged<RosterEntry>(), kMembers<RosterEntry> - 3);  // body, style, gait
  EXPECT_EQ(exchanged<ThingEntry>(), kMembers<ThingEntry> - 1);    // body
  EXPECT_EQ(exchanged<Roster>(), kMembers<Roster> - 1);            // bodies
  EXPECT_EQ(exchanged<Snapshot>(), kMembers<Snapshot> - 1);        // roster
}

}  // namespace
}  // namespace promenade::world
