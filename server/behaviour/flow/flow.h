#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "behaviour/flow/person.h"
#include "behaviour/flow/plan.h"
#include "behaviour/route/routes.h"
#include "math/random.h"

namespace promenade::behaviour::flow {

/// The people of a plan: those who are to appear, what each of them is to do now, and what has
/// happened. It moves nobody: the caller does, and tells it where they are. The same plan, seed and
/// positions give the same errands, bit for bit.
///
/// Once in a while (some 10 to 20 times a second): update() with where everybody is, place those
/// of due() for whom there is room and enter() them, then walk each by its errand.
class Flow {
 public:
  /// @param routes  of the scene; must outlive the flow
  Flow(std::shared_ptr<const Plan> plan, route::Routes& routes);

  /// Allocates nothing while nobody comes, chooses a spot, or needs a route to a new goal.
  /// @param positions  of people(), in its order
  void update(std::span<const Vec2> positions, double dt);

  /// People by id, those of a party beside each other.
  std::span<const Person> people() const { return people_; }
  std::span<const Errand> errands() const { return errands_; }  // of people(), in its order
  std::span<const Party> parties() const { return parties_; }   // by id
  /// The events of the last update, and since.
  std::span<const Event> events() const { return events_; }
  double time() const { return time_; }  // s

  /// Adds to due() as many people as there may be after a while, on their way between errands, so
  /// that a scene does not begin empty: never more than the most there may be.
  void populate(std::size_t people);
  /// Adds to due() people who stand about in a disc, alone and 0.9 m or more apart: fewer where
  /// there is no room for more.
  void gather(const Gathering& gathering);
  /// The people who are to appear, longest waiting first. They stay here until they enter.
  std::span<const Arrival> due() const { return due_; }
  /// A party of due() is here now, where its arrival says. False: it is not due.
  bool enter(PartyId party);
  /// How many did not come because too many waited at their entrance.
  std::uint64_t turned_away() const { return turned_away_; }
  /// Somebody is gone for another reason than an exit. False: unknown.
  bool remove(PersonId person);

  /// Goes on from another plan's flow: its time, its people and what they were doing, as far as
  /// this plan has it too. Entrances, exits, places and queues are the same if they have the same
  /// name, or without names the same number. People whose errand is gone, or who cannot get there
  /// any more, go on to the next one, or leave by an exit that can be reached.
  /// @pre this flow has no people yet
  void take_over(const Flow& before);

  const Plan& plan() const { return *plan_; }
  std::size_t in_line(std::uint32_t queue) const { return lines_[queue].people.size(); }

  /// All within the radius flee from now on, for so long. False: too many at once.
  bool start_panic(const Vec2& from, double radius, double duration);

  /// Where nobody can get to from an entrance, though it is not walled in itself.
  struct Unreached {
    std::uint32_t entrance;
    Destination to;
  };
  /// Exits, places and queues to which no route leads from an entrance.
  std::vector<Unreached> unreached();
  /// Asks for the routes to all exits, places and queues, as far as Routes remembers so many.
  void find_all_ways();

  void visit(StateVisitor& state);

 private:
  struct Gate {
    Random random;
    double until_next = 0;                           // of parties expected, until one comes
    std::vector<double> exit_weights, stop_weights;  // stops: places, then queues
    void visit(StateVisitor& state);
  };
  struct Line {
    std::vector<PersonId> people;
    double served_for = 0;  // s, the first
  };
  using Trees = std::vector<std::shared_ptr<const route::RouteTree>>;
  using Members = std::span<Person>;

  // flow.cpp
  const route::RouteTree& tree(const Destination& to);
  Vec2 point_of(const Destination& to) const;
  double facing_of(const Destination& to) const;
  Person* find(PersonId person);
  Members members_of(const Party& party);
  void tell(Happening what, PersonId person, std::uint32_t index) {
    events_.push_back({what, person, index});
  }
  void let_go();

  // flow_state.cpp
  void visit_lists(StateVisitor& state);
  bool consistent() const;
  bool parties_fit() const;
  bool task_fits(const Party& party, std::span<const Person> members) const;
  bool exists(const Destination& to) const;
  bool known(PersonId person) const;

  // flow_arrivals.cpp
  void open_gates();
  void arrive(double dt);
  void add_party(std::uint32_t entrance);
  void put_on_the_way(Arrival& arrival, Party& party, Random& random);
  bool closed(std::uint32_t entrance) const;
  std::size_t expected() const;

  // flow_succession.cpp
  struct Matches;
  void take_over_parties(const Flow& before, const Matches& same);
  void take_over_due(const Flow& before, const Matches& same);
  void go_on_from(Party& party, Members members, const Vec2& at, const Matches& same);
  std::uint32_t choose_exit(const Party& party, const Vec2& at);
  bool can_reach(const Vec2& at, const Destination& to);

  // flow_tasks.cpp
  void act(Party& party, Members members);
  void go(Party& party, Members members);
  void go_to_place(Party& party, Members members);
  void go_to_queue(Party& party, Members members);
  void stay(Party& party, Members members);
  void leave(Members members);
  void go_on(Party& party, Members members);
  void free_of(PersonId person);
  void serve(double dt);
  double service_time(PersonId person, std::uint32_t queue) const;

  // flow_panic.cpp
  const Panic* panic_near(const Vec2& p) const;
  void take_alarm(Party& party, Members members);
  void flee(Party& party, Members members);
  std::uint32_t safe_exit(const Vec2& p, const Panic& panic);

  // flow_errands.cpp
  struct GroupStep {
    std::array<route::Leg, kMostInParty> legs;
    Vec2 middle = Vec2::Zero(), way = Vec2::Zero();
    double left = 0;     // m to the goal, mean
    double speed = 1e9;  // m/s of the group
    double hurry = 1;    // times as fast as they like to walk
    bool each_alone = false;
  };
  void give_errands(Party& party, Members members, std::span<Errand> errands, double dt);
  GroupStep look_ahead(Party& party, Members members);
  void follow_first(Members members, std::span<route::Leg> legs);
  Errand errand_along(const Person& p, const route::Leg& leg) const;
  void keep_together(const Person& p, const GroupStep& step, std::size_t member, double heading,
                     Errand& e) const;
  Vec2 exit_aim(const Person& person, const route::Leg& leg) const;

  std::shared_ptr<const Plan> plan_;
  route::Routes& routes_;
  std::shared_ptr<const route::RouteMap> map_;
  Trees exit_trees_;
  std::vector<Trees> place_trees_, queue_trees_, aside_trees_;  // grown when first needed

  double time_ = 0;
  PersonId next_person_ = 1;
  PartyId next_party_ = 1;
  std::uint64_t turned_away_ = 0;
  std::vector<Gate> gates_;                   // [entrances]
  std::vector<std::vector<PersonId>> taken_;  // [places][spots], 0: free
  std::vector<Line> lines_;                   // [queues]
  std::vector<Panic> panics_;                 // those of the plan, and those started since
  std::vector<Arrival> due_;
  std::vector<Party> due_parties_;  // in the order of due_
  std::vector<Person> people_;
  std::vector<Party> parties_;
  std::vector<Errand> errands_;
  std::vector<Event> events_;
};

}  // namespace promenade::behaviour::flow
