#pragma once

#include <span>
#include <vector>

#include "behaviour/tasks/worker.h"

namespace promenade::behaviour::tasks {

inline constexpr std::size_t kMostSharers = 64;  // of one list

/// One of those who share a list, as it is now.
struct Sharer {
  ThingId id = 0;
  Worker* worker = nullptr;
  const Workplace* place = nullptr;  // as it sees it
  Self self;
  bool able = false;  // stands, and does not get up
};

/// Tasks that several people work off together: whoever is free takes the next. A task waits until
/// what it is about is free, and until those before it in the list are over that are about the same
/// thing or bring something to the same place. Nobody sets to work where somebody else is still at
/// work: they wait aside, out of the others' way.
class SharedList {
 public:
  enum class State : std::uint8_t { kOpen, kTaken, kDone, kFailed };
  struct Entry {
    Task task;
    State state = State::kOpen;
    ThingId by = 0;    // who has taken it, or was the last
    int failures = 0;  // so many times it could not be done
    double pause = 0;  // s, before it is tried again

    void visit(StateVisitor& state);
  };

  SharedList() = default;  // to be read into
  /// @pre at most kMostSharers characters and kMostTasks tasks
  SharedList(const std::vector<ThingId>& characters, const std::vector<Task>& tasks, bool repeat);

  /// Whether so many more tasks can be added.
  bool has_room_for(std::size_t tasks, bool repeat) const;
  /// Adds tasks behind all others; those that are over are forgotten where the list had ended or
  /// is long, unless it repeats.
  /// @pre has_room_for
  void append(const std::vector<Task>& tasks, bool repeat);

  /// Takes back the tasks of those who fell, gives tasks to whoever is free, and says who waits
  /// where.
  /// @param sharers  the members, in their order
  void update(std::span<const Sharer> sharers, double dt);
  /// What became of the task that somebody had taken.
  /// @return whether the room is to be told: of a task that is tried again it is not
  bool told(ThingId character, const TaskNews& news, const v1::SharingParameters& p);
  /// All are over since the last update; the list begins again if it repeats.
  bool finished() const { return finished_; }
  bool ended() const { return ended_; }
  /// Tasks that were given up in the last update, and why.
  struct GivenUp {
    std::size_t entry;
    const char* why;
  };
  const std::vector<GivenUp>& given_up() const { return given_up_; }

  std::size_t members() const { return members_.size(); }
  ThingId member(std::size_t index) const { return members_[index].id; }
  /// Somebody does something else now, or is gone: others may take over its task.
  void leave(ThingId character);
  const std::vector<Entry>& entries() const { return entries_; }
  bool repeats() const { return repeat_; }
  void visit(StateVisitor& state);

 private:
  struct Member {
    ThingId id = 0;
    std::size_t entry = 0;  // that it has; as many as there are: none
    bool entered = false;   // it may work at its site
    bool places = false;    // which site that is: where its thing is to be
    bool waits = false;
    Vec2 waits_at = Vec2::Zero();
    // Of the last look:
    Vec2 at = Vec2::Zero();  // its site
    bool has_site = false;

    void visit(StateVisitor& state);
  };
  bool has_none(const Member& member) const { return member.entry >= entries_.size(); }
  bool over(const Entry& entry) const {
    return entry.state == State::kDone || entry.state == State::kFailed;
  }
  bool has_its_thing(const Entry& entry, std::span<const Sharer> sharers) const;
  bool may_take(std::size_t entry, std::span<const Sharer> sharers) const;
  bool may_place(std::size_t entry, const Workplace& place) const;
  void give_back(Member& member);
  void give(std::span<const Sharer> sharers);
  void give_hands_something(std::span<const Sharer> sharers);
  double cost_for(const Sharer& sharer, std::size_t entry, std::span<const Sharer> sharers) const;
  void direct(std::span<const Sharer> sharers);
  bool may_enter(std::size_t member, std::span<const Sharer> sharers) const;
  double in_the_way(std::size_t member, const Vec2& at, std::span<const Sharer> sharers) const;
  Vec2 waiting_place(std::size_t member, std::span<const Sharer> sharers) const;
  void look_where_work_is(std::span<const Sharer> sharers);
  void give_up_what_is_stuck(std::span<const Sharer> sharers);
  void end();
  void forget_what_is_over();

  std::vector<Member> members_;
  std::vector<Entry> entries_;
  bool repeat_ = false, finished_ = false, ended_ = false;
  double stuck_ = 0;  // s, that nobody has had anything to do
  double clock_ = 0;  // s, until it looks again
  std::vector<GivenUp> given_up_;
  // Of the last look:
  std::vector<std::size_t> takeable_;  // entries
  std::vector<Vec2> work_places_;      // of what is not over
};

}  // namespace promenade::behaviour::tasks
