#include "world/room/room.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/random.h"
#include "math/rotation.h"
#include "schema/refusal.h"
#include "world/beside/preparation.h"
#include "world/command/held_ids.h"
#include "world/crowd/gaits.h"
#include "world/hands/workplace.h"
#include "world/room/room_impl.h"
#include "world/scene/placement.h"
#include "world/step/wall_clock.h"

namespace promenade::world {
namespace {

void require(bool holds, const std::string& field, double value, const std::string& allowed) {
  if (!holds) {
    throw RoomError(schema::refusal("room." + field, schema::number(value), allowed));
  }
}

const RoomSettings& checked(const RoomSettings& s) {
  require(s.threads >= 1 && s.threads <= 64, "threads", s.threads, "1 to 64");
  require(s.substeps >= 1 && s.substeps <= 100, "substeps", s.substeps, "1 to 100");
  require(s.ticks_per_second >= 10 && s.ticks_per_second <= 1000, "ticks_per_second",
          s.ticks_per_second, "10 to 1000");
  require(s.max_characters >= 1 && s.max_characters <= 100000, "max_characters", s.max_characters,
          "1 to 100000");
  return s;
}

// The best of a few random places in a crowd's disc: the one farthest from all characters that are
// there already. Source: best-candidate sampling, Mitchell 1991.
Vec2 roomy_place(const CrowdPlan& crowd, const IdList<Entity>& others, Random& random) {
  constexpr int kCandidates = 16;
  Vec2 best = crowd.center;
  double best_distance = -1;
  for (int i = 0; i < kCandidates; ++i) {
    const double angle = random.uniform(-kPi, kPi);
    const double from_center = crowd.radius * std::sqrt(random.uniform());
    const Vec2 p = crowd.center + from_center * Vec2(std::cos(angle), std::sin(angle));
    double nearest = 1e9;
    for (const auto& other : others) {
      nearest = std::min(nearest, (other->start_position - p).norm() - other->radius);
    }
    if (nearest > best_distance) {
      best_distance = nearest;
      best = p;
    }
  }
  return best;
}

// The plan at the place and heading that the seed gives it.
CharacterPlan scattered(CharacterPlan plan, std::uint64_t seed, std::size_t index) {
  if (plan.scatter == 0 && plan.heading_scatter == 0) return plan;
  Random random = Random::stream(seed, 0x5ca77e00000ULL + index);
  const double angle = random.uniform(-kPi, kPi);
  const double far = plan.scatter * std::sqrt(random.uniform());
  plan.position =
      plan.position.value_or(Vec2::Zero()) + far * Vec2(std::cos(angle), std::sin(angle));
  plan.heading += random.uniform(-plan.heading_scatter, plan.heading_scatter);
  return plan;
}

}  // namespace

Room::Impl::Impl(std::shared_ptr<const Library> library_in, const RoomSettings& settings_in, Empty)
    : library(std::move(library_in)), settings(checked(settings_in)), workers(settings.threads) {
  step.substeps = settings.substeps;
  step.settings.dt = dt() / settings.substeps;
}

Room::Impl::Impl(std::shared_ptr<const Library> library_in, const RoomSettings& settings_in)
    : Impl(std::move(library_in), settings_in, Empty{}) {
  auto wanted = library->find_scene(settings.scene);
  if (!wanted) {
    throw RoomError(schema::refusal("room.scene", schema::in_quotes(settings.scene),
                                    schema::listed_names(library->scene_names())));
  }
  require(wanted->character_count() <= settings.max_characters, "max_characters",
          settings.max_characters,
          "at least the scene's " + std::to_string(wanted->character_count()));
  if (settings.seed == 0) settings.seed = wanted->seed;
  load(std::move(wanted));
}

void Room::Impl::load(std::shared_ptr<const Scene> next) {
  scene = std::move(next);
  courses.begin(*scene);
  lay_courses();
  crowd.load(*scene, settings.seed, dt());
  levels.load(*scene);
  ties.clear();
  shared = SharedTasks{};
  occupants.entities.clear();
  occupants.props.clear();
  occupants.first_id = occupants.next_id;
  scene_tick = tick_number;
  script_done = 0;
  ++epoch;
  bodies_changed();
  for (std::size_t i = 0; i < scene->characters.size(); ++i) {
    add(scattered(scene->characters[i], settings.seed, i));
  }
  Random random = Random::stream(settings.seed, 0x5ce1eULL);
  for (const CrowdPlan& group : scene->crowds) {
    measure_gaits(*library, workers, scene->in_physics, group.mix, 0, std::size_t(group.count));
    for (int i = 0; i < group.count; ++i) {
      CharacterPlan plan = group.mix.member(std::size_t(i));
      plan.position = roomy_place(group, occupants.entities, random);
      plan.heading = random.uniform(-kPi, kPi);
      if (!plan.family) {
        plan.family = &control::default_family(*library->find_creature(plan.body)->body);
      }
      if (group.wander && plan.family->walks) {
        plan.order = behaviour::Wander::Order{group.center, group.radius};
      }
      add(plan);
    }
    occupants.next_id += CharacterId(group.left_out);
  }
  if (scene->flow.crowd.plan) {
    measure_gaits(*library, workers, scene->in_physics, scene->flow.mix, 0,
                  scene->flow.crowd.plan->most_people);
    crowd.make_first_people(*this);
  }
  for (const ThingPlan& plan : scene->things) add(plan);
  for (const HeapPlan& heap : scene->heaps) add_heap(heap, random);
  ties.begin_scene();  // behind those by which bodies close their loops: scripts count from here
  for (const AddTie& tie : scene->ties) {
    ties.add(std::get<AddTie>(renumbered(tie, occupants.first_id, ties.first_id())), true, view());
  }
}

void Room::Impl::lay_courses() {
  courses.lay(*scene, settings.seed);
  step.ground = &courses.ground();
  roster.changed();
}

void Room::Impl::set_flow(SceneFlow next) {
  // Where nobody has prepared the flow, the room stands still while gaits are measured, some tenths
  // of a second each. All bipeds in all styles are more than a hundred; the gaits of people who
  // come later are measured when they come.
  constexpr std::size_t kMeasuredAtOnce = 8;
  const auto known = std::count_if(occupants.entities.begin(), occupants.entities.end(),
                                   [](const auto& e) { return e->of_flow(); });
  measure_gaits(*library, workers, scene->in_physics, next.mix, std::size_t(known),
                kMeasuredAtOnce);
  crowd.replace(std::move(next), settings.seed, tick_number);
  roster.definitions_changed();  // it names the flow
}

std::uint64_t Room::Impl::get_up_tick(double delay) const {
  if (delay < 0) return 0;
  return tick_number + 1 + view().ticks(delay);
}

void Room::Impl::run_script(std::vector<RoomEvent>& events) {
  if (scene->script.empty()) return;
  const auto count = std::uint64_t(scene->script.size());
  for (;;) {
    const std::uint64_t round = script_done / count;
    if (round > 0 && scene->script_period <= 0) return;
    const ScriptedCommand& next = scene->script[script_done % count];
    const double at = next.at + double(round) * scene->script_period;
    if (view().time() < at - 1e-9) return;
    ++script_done;
    const CommandResult result =
        apply(renumbered(next.command, occupants.first_id, ties.first_id()));
    // The character that the script names may have been removed. This is reported in the first
    // round only, and the script goes on.
    if (result.error && round == 0) {
      events.push_back({tick_number, 0, RoomEvent::Kind::kNotice,
                        "the scene's script: " + result.error->message});
    }
  }
}

void Room::Impl::quarantine(Entity& e, std::vector<RoomEvent>& events) {
  ties.release_all(e.id);
  e.quarantined = true;
  e.broke = e.fallen = e.down = e.lost = e.risen = false;
  e.rise.reset();
  e.pushes.clear();
  // Moved out of sight with a finite state, so that no later code reads the bad numbers.
  Pose aside;
  aside.position = Vec3(e.last_position.x(), e.last_position.y(),
                        view().ground_now().height(e.last_position.x(), e.last_position.y()) +
                            e.body->standing_height);
  aside.rotation = rotation_z(e.last_heading);
  e.physics.set_state(physics::ArticulatedBody::zero_state(*e.body->model, aside));
  e.goal = control::Goal{};
  e.goal.heading = e.last_heading;
  e.restart_controller(ground_and_tops());
  e.smooth_velocity.setZero();
  // Quarantine always ends, even in scenes where the fallen stay down: the state is sound again.
  const double delay = scene->get_up_delay < 0 ? 3 : scene->get_up_delay;
  e.back_at = tick_number + 1 + view().ticks(delay);
  events.push_back(
      {tick_number, e.id, RoomEvent::Kind::kQuarantined,
       e.body->title + " " + std::to_string(e.id) + ": the physics failed; being restored"});
}

void Room::Impl::tend(std::vector<RoomEvent>& events) {
  for (const auto& e : occupants.entities) {
    if (e->back_at != 0 && e->back_at <= tick_number) {
      const bool respawned = e->quarantined, tried = e->rise != nullptr;
      get_up(*e);
      events.push_back({tick_number, e->id, RoomEvent::Kind::kGotUp,
                        e->body->title + " " + std::to_string(e->id) +
                            (respawned ? " is back"
                             : tried   ? " could not get up and is set upright"
                                       : " is up again")});
    }
    // A character that the physics does not move was looked at when it was moved.
    const bool known = e->kinematic() && !e->unchecked;
    if (e->present() && !known && !e->is_sound()) quarantine(*e, events);
    e->unchecked = false;
    if (e->leaves_at != 0 && e->leaves_at <= tick_number) send_away(*e);
  }
}

// Where all are, for those who keep clear of others by themselves.
void Room::Impl::see_everyone() {
  everyone.clear();
  const bool needed =
      std::any_of(occupants.entities.begin(), occupants.entities.end(),
                  [](const auto& e) { return e->present() && !e->fallen && !e->in_crowd(); });
  if (!needed) return;
  for (const auto& e : occupants.entities) {
    const double radius =
        e->present() ? e->radius + (e->fallen ? 0.4 * e->body->leg_scale() : 0) : 0;
    everyone.push_back({e->position(), e->smooth_velocity, radius, true});
  }
  for (const auto& prop : occupants.props) {
    everyone.insert(everyone.end(), prop->discs().begin(), prop->discs().end());
  }
  grid.build(everyone);
}

void Room::Impl::decide(std::size_t index, const TickView& now) {
  Entity& e = *occupants.entities[index];
  if (!e.present() || e.fallen) return;
  std::array<behaviour::Neighbour, behaviour::kMaxNeighbours> found;
  behaviour::Surroundings around;
  around.obstacles = courses.obstacles();
  double until = dt();
  if (e.in_crowd()) {
    const bool light = e.kinematic() != nullptr;
    // A light one has nothing new to decide between two choices of its crowd.
    if (light && !crowd.decides(now)) return;
    if (light) until *= double(crowd.period());
    around.chosen = e.in_step.choice(e.position(), e.smooth_heading, light);
  } else {
    around.neighbours = std::span(found).first(std::size_t(grid.nearest(index, found)));
  }
  const RoomWorkplace workplace(now, ties, hands, e);
  if (e.follows<behaviour::tasks::Worker>() && !e.kinematic()) around.workplace = &workplace;
  e.behave(around, until);
  if (!ties.empty() && !e.kinematic()) Hands::feel(e, ties);
}

void Room::Impl::decide_and_move(std::vector<RoomEvent>& events) {
  if (crowd.decides(view())) {
    const double began = now_s();
    crowd.run_flow(occupants, *this, view());
    times.behaviour += now_s() - began;
    crowd.choose_velocities(occupants, workers, view());
    crowd.look_at_flow(view(), events);
  }
  const double start = now_s();
  see_everyone();
  hands.gather(occupants, ties);
  if (!shared.empty()) shared.run(occupants, ties, hands, view(), events);
  const bool light = std::any_of(occupants.entities.begin(), occupants.entities.end(),
                                 [](const auto& e) { return e->present() && e->kinematic(); });
  if (light) find_tops();
  step.tops = light ? &tops : nullptr;
  step.settings.time = view().time();
  times.behaviour += now_s() - start;
  const TickView now = view();
  // Both for a few at a time: the second finds in the cache what the first has read.
  workers.each_piece(occupants.entities.size(),
                     [this, &now](std::size_t first, std::size_t end, Workers::Worker& w) {
                       const double began = now_s();
                       for (std::size_t i = first; i < end; ++i) decide(i, now);
                       const double decided = now_s();
                       for (std::size_t i = first; i < end; ++i) {
                         Entity& e = *occupants.entities[i];
                         if (e.present() && e.kinematic()) e.move(step);
                       }
                       w.behaviour_s += decided - began;
                       w.step.control_s += now_s() - decided;
                     });
  hands.use(occupants, ties, shared, now, events);
  hands.ask_takers(occupants, now);
  if (light) press_on_things();
  for (const auto& e : occupants.entities) {
    if (!std::exchange(e->arrived, false)) continue;
    events.push_back({tick_number, e->id, RoomEvent::Kind::kArrived,
                      e->body->title + " " + std::to_string(e->id) + " arrived"});
  }
}

void Room::Impl::look_after(std::vector<RoomEvent>& events) {
  for (const auto& e : occupants.entities) {
    if (!e->present()) continue;
    if (e->broke) {
      quarantine(*e, events);
      continue;
    }
    const bool out = e->lost;
    if (out) {
      e->back_at = tick_number;  // at once, as no ground will end the fall
      events.push_back({tick_number, e->id, RoomEvent::Kind::kLeft,
                        e->body->title + " " + std::to_string(e->id) +
                            " fell out of the world and is set down at a free place"});
    }
    if (e->risen && !out) {
      e->go_on(ground_and_tops());
      events.push_back({tick_number, e->id, RoomEvent::Kind::kGotUp,
                        e->body->title + " " + std::to_string(e->id) + " got up"});
      continue;
    }
    if (e->fallen || !(e->down || out)) continue;
    const bool tries = !out && scene->get_up_delay >= 0 && scene->get_up_for >= 0 && e->may_rise();
    e->fall(view().ground_now(), tries, step.settings.dt);
    if (!out) e->back_at = get_up_tick(tries ? scene->get_up_for : scene->get_up_delay);
    events.push_back({tick_number, e->id, RoomEvent::Kind::kFell,
                      e->body->title + " " + std::to_string(e->id) + " fell"});
  }
}

std::vector<RoomEvent> Room::Impl::tick() {
  std::vector<RoomEvent> events;
  run_script(events);
  tend(events);
  decide_and_move(events);
  run_physics();
  ++tick_number;
  if (paused && steps_left > 0) --steps_left;
  look_after(events);
  levels.run(occupants, ties, view(), [this] { return ground_and_tops(); });
  if (!courses.empty() && courses.run(view(), events)) lay_courses();
  if (!occupants.props.empty()) look_after_things(events);
  if (!ties.empty()) ties.look_after(tick_number, events);
  return events;
}

std::uint64_t Room::Impl::state_hash() const {
  digests.resize(occupants.entities.size() + occupants.props.size());
  workers.each(digests.size(), [&](std::size_t i, Workers::Worker&) {
    digests[i] = i < occupants.entities.size()
                     ? occupants.entities[i]->digest()
                     : occupants.props[i - occupants.entities.size()]->digest();
  });
  return hash_of({tick_number, scene_tick, script_done, occupants.first_id, occupants.next_id,
                  ties.first_id(), ties.next_id()},
                 *scene, settings.seed, digests, ties.all(),
                 common_digest(crowd, levels, shared, courses));
}

std::uint64_t Room::Impl::common_digest(const Crowd& crowd, const Levels& levels,
                                        const SharedTasks& shared, const Courses& courses) {
  Hash hash;
  hash.add(crowd.digest());
  hash_state(levels, hash);
  hash_state(shared, hash);
  if (!courses.empty()) hash_state(courses, hash);
  return hash.value();
}

std::uint64_t Room::Impl::hash_of(const Moment& moment, const Scene& scene, std::uint64_t seed,
                                  std::span<const std::uint64_t> digests,
                                  const IdList<RoomTie>& ties, std::uint64_t common_digest) {
  Hash hash;
  for (const std::uint64_t number :
       {moment.tick, moment.scene_tick, moment.script_done, std::uint64_t(moment.first_id),
        std::uint64_t(moment.next_id), std::uint64_t(moment.first_tie),
        std::uint64_t(moment.next_tie), seed}) {
    hash.add(number);
  }
  hash.add(std::string_view(scene.name()));
  if (scene.people != 1) hash.add(scene.people);
  for (const std::uint64_t digest : digests) hash.add(digest);
  for (const auto& tie : ties) hash.add(tie->digest());
  hash.add(common_digest);
  return hash.value();
}

Room::Room(std::shared_ptr<const Library> library, const RoomSettings& settings)
    : impl_(std::make_unique<Impl>(std::move(library), settings)) {}
Room::Room(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Room::~Room() = default;

CommandResult Room::apply(const Command& command, Preparation* prepared) {
  if (prepared && !impl_->fits(command, *prepared)) prepared = nullptr;
  if (prepared && prepared->made.room) {
    prepared->made.room->impl_->take_the_place_of(*impl_, true);
    std::swap(impl_, prepared->made.room->impl_);
    CommandResult result;
    result.tick = impl_->tick_number;
    if (impl_->sink) impl_->sink(result.tick, command);
    return result;
  }
  std::optional<std::variant<Command, CommandError>> merged;
  if (prepared && prepared->made.whole) {
    merged = *prepared->made.whole;
  } else {
    merged = impl_->merged(command);
  }
  if (merged && merged->index() == 1) {
    CommandResult refused;
    refused.tick = impl_->tick_number;
    refused.error = std::get<1>(*merged);
    return refused;
  }
  const Command& whole = merged ? std::get<0>(*merged) : command;
  CommandResult result = impl_->apply(whole, prepared);
  if (!result.error && impl_->sink) impl_->sink(result.tick, whole);
  return result;
}

void Room::set_command_sink(CommandSink sink) { impl_->sink = std::move(sink); }
std::vector<RoomEvent> Room::tick() { return impl_->tick(); }
bool Room::wants_tick() const { return !impl_->paused || impl_->steps_left > 0; }
std::uint64_t Room::tick_count() const { return impl_->tick_number; }
double Room::tick_seconds() const { return 1.0 / impl_->settings.ticks_per_second; }
bool Room::paused() const { return impl_->paused; }
double Room::time_scale() const { return impl_->time_scale; }
std::size_t Room::character_count() const { return impl_->occupants.entities.size(); }
std::size_t Room::thing_count() const { return impl_->occupants.props.size(); }
std::size_t Room::moving_links() const { return impl_->occupants.moving_links(); }
std::uint32_t Room::in_physics() const { return impl_->levels.in_physics(); }
std::size_t Room::most_of_flow() const {
  const behaviour::flow::Flow* flow = impl_->crowd.flow();
  return flow ? flow->plan().most_people : 0;
}
std::size_t Room::links_of(CharacterId id) const {
  const Occupant* one = impl_->occupants.find_occupant(id);
  return one ? one->body->link_names.size() : 0;
}
const RoomSettings& Room::settings() const { return impl_->settings; }
RoomTimes Room::times() const { return impl_->times; }
std::shared_ptr<const Snapshot> Room::snapshot() const { return make_snapshot(); }
std::shared_ptr<Snapshot> Room::make_snapshot(bool with_hash, const Onlookers& onlookers) const {
  return impl_->make_snapshot(with_hash, onlookers);
}
std::uint64_t Room::state_hash() const { return impl_->state_hash(); }
v1::Checkpoint Room::save() const { return impl_->save(); }
std::optional<CommandError> Room::restore(const v1::Checkpoint& checkpoint, Preparation* prepared) {
  if (!prepared) return impl_->restore(checkpoint);
  if (prepared->made.why_not) return prepared->made.why_not;
  prepared->made.room->impl_->take_the_place_of(*impl_, false);
  std::swap(impl_, prepared->made.room->impl_);
  return std::nullopt;
}

std::unique_ptr<Preparation> Room::prepare(const Command& command) {
  return impl_->prepare(command);
}
std::unique_ptr<Preparation> Room::prepare(std::shared_ptr<const v1::Checkpoint> checkpoint) const {
  return impl_->prepare(std::move(checkpoint));
}
bool Room::fits(const Command& command, const Preparation& prepared) const {
  return impl_->fits(command, prepared);
}

bool Room::set_state_for_test(CharacterId character, const physics::ArticulationState& state) {
  Entity* e = impl_->occupants.find(character);
  if (!e) return false;
  e->physics.set_state(state);
  e->unchecked = true;
  if (control::Kinematic* light = e->kinematic())
    light->begin(e->physics, impl_->ground_and_tops());
  return true;
}

const physics::ArticulatedBody* Room::body_for_test(CharacterId character) const {
  const Occupant* one = impl_->occupants.find_occupant(character);
  return one ? &one->physics : nullptr;
}

}  // namespace promenade::world
