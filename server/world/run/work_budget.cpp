#include "world/run/work_budget.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "control/registry.h"
#include "schema/refusal.h"
#include "world/entity/entity.h"
#include "world/library/library.h"

namespace promenade::world {
namespace {

// Links that must move for a room to tell what one costs: the fixed cost of a tick is little then.
constexpr double kTellingLinks = 150;
// Share of the window's ticks, the longest ones, which other programs on the machine made long.
constexpr double kTrimmed = 0.1;
// A link not measured yet costs so many times what the others cost: a character just made stands,
// and takes more when walking, falling or crowded.
constexpr double kUnmeasured = 1.3;
// After a refusal nothing is taken until this much of the budget is free, or something has gone:
// at the edge, noise would let in one more now and then.
constexpr double kFreeAgain = 0.05;
constexpr std::size_t kMostThreads = 64;

/// The last cost seen of a link with so many threads, s of a tick; 0: not seen yet.
std::atomic<double>& seen_cost(std::size_t threads) {
  static std::array<std::atomic<double>, kMostThreads + 1> costs{};
  return costs[std::min(threads, kMostThreads)];
}

double links(const CreatureDefinition* definition) {
  if (!definition) return 0;
  return double(definition->body ? definition->body->link_names.size()
                                 : std::size_t(definition->given.links_size()));
}

double links_of_creature(const Library& library, const std::string& name,
                         const std::shared_ptr<const CreatureDefinition>& given) {
  return links(given ? given.get() : library.find_creature(name).get());
}
double links_of_thing(const Library& library, const std::string& name,
                      const std::shared_ptr<const CreatureDefinition>& given) {
  return links(given ? given.get() : library.find_thing(name).get());
}

/// Links of the first body that walks, of which rooms are mostly made.
double links_of_walker(const Library& library) {
  for (const auto& body : library.body_list()) {
    if (control::default_family(*body).walks) return double(body->link_names.size());
  }
  return 1;
}

/// Steps a crowd for a moment. @return what a link costs, s of a tick; 0 if nobody walks here
double try_out(const std::shared_ptr<const Library>& library, RoomSettings settings) {
  using Clock = std::chrono::steady_clock;
  constexpr int kCrowd = 12, kTicks = 24;
  std::string body;
  for (const auto& one : library->body_list()) {
    if (body.empty() && control::default_family(*one).walks) body = one->name;
  }
  if (body.empty()) return 0;
  settings.max_characters += kCrowd;
  Room room(library, settings);
  for (int i = 0; i < kCrowd; ++i) {
    const Vec2 place(3 * (i % 4), 3 * (i / 4));
    room.apply(Spawn{body, "", place, 0, true});
  }
  std::vector<double> times;
  for (int tick = 0; tick < kTicks; ++tick) {
    const auto start = Clock::now();
    room.tick();
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  const auto middle = times.begin() + kTicks / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle / std::max(1.0, double(room.moving_links()));
}

/// Links of the first `count` of a crowd.
/// @param in_physics  at most so many of those driven by gbwc; 0: all
double links_of_mix(const Library& library, const CrowdMix& mix, std::size_t count,
                    std::uint32_t in_physics) {
  const bool levels = in_physics > 0 && (!mix.family || mix.family->name == "gbwc");
  std::size_t whole = levels ? std::min<std::size_t>(count, in_physics) : count;
  if (mix.family && mix.family->light) whole = 0;
  double sum = double(count - whole) * kLightWork;
  for (std::size_t i = 0; i < whole; ++i) {
    sum += links_of_creature(library, mix.bodies[i % mix.bodies.size()], {});
  }
  return sum;
}

std::string percent(double share) { return schema::number(std::round(100 * share)) + " %"; }

}  // namespace

double links_of(const Scene& scene, const Library& library) {
  double sum = 0;
  for (const CharacterPlan& plan : scene.characters) {
    sum += links_of_creature(library, plan.body, plan.body_definition);
  }
  for (const ThingPlan& plan : scene.things) {
    sum += links_of_thing(library, plan.thing, plan.definition);
  }
  for (const CrowdPlan& crowd : scene.crowds) {
    sum += links_of_mix(library, crowd.mix, std::size_t(crowd.count), scene.in_physics);
  }
  if (scene.flow.message) {
    sum +=
        links_of_mix(library, scene.flow.mix, scene.flow.crowd.plan->most_people, scene.in_physics);
  }
  for (const HeapPlan& heap : scene.heaps) {
    for (int i = 0; i < heap.count; ++i) {
      sum += links_of_thing(library, heap.things[std::size_t(i) % heap.things.size()], {});
    }
  }
  return sum;
}

namespace {
/// Characters whose links `links_of` counts: those at the start, and all that a flow may let in.
std::size_t most_characters(const Scene& scene) {
  const bool flow = scene.flow.message != nullptr;
  return scene.character_count() + (flow ? scene.flow.crowd.plan->most_people : 0);
}
}  // namespace

WorkBudget::WorkBudget(double max_load, std::shared_ptr<const Library> library,
                       const RoomSettings& settings)
    : max_load_(max_load),
      library_(std::move(library)),
      tick_s_(1.0 / settings.ticks_per_second),
      threads_(std::size_t(settings.threads)) {
  auto& cost = seen_cost(threads_);
  const auto scene = library_->find_scene(settings.scene);
  if (max_load_ > 0 && cost == 0 && scene && links_of(*scene, *library_) < kTellingLinks) {
    cost = try_out(library_, settings);
  }
}

void WorkBudget::measure(double seconds, std::size_t moving_links) {
  most_moving_ = std::max(most_moving_, double(moving_links));
  samples_[count_++ % kWindow] = {seconds, double(moving_links)};
  if (count_ % kWindow == 0 && mean_links() >= kTellingLinks) seen_cost(threads_) = link_seconds();
}

double WorkBudget::load() const { return mean_seconds() / tick_s_; }

double WorkBudget::mean_seconds() const {
  const std::size_t size = std::min(count_, kWindow);
  if (size == 0) return 0;
  std::array<double, kWindow> times{};
  for (std::size_t i = 0; i < size; ++i) times[i] = samples_[i].seconds;
  const std::size_t kept = size - std::size_t(kTrimmed * double(size));
  std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(kept - 1),
                   times.begin() + std::ptrdiff_t(size));
  return std::accumulate(times.begin(), times.begin() + std::ptrdiff_t(kept), 0.0) / double(kept);
}

double WorkBudget::mean_links() const {
  const std::size_t size = std::min(count_, kWindow);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += samples_[i].links;
  return size > 0 ? sum / double(size) : 0;
}

double WorkBudget::link_seconds() const {
  const double links = mean_links(), seen = seen_cost(threads_);
  const bool telling = links >= kTellingLinks;
  return telling || (seen == 0 && links > 0) ? mean_seconds() / links : seen;
}

std::optional<CommandError> WorkBudget::judge(const Command& command, const Room& room) {
  if (max_load_ == 0) return std::nullopt;
  if (const auto* c = std::get_if<Spawn>(&command)) {
    return judge_more("spawn", links_of_creature(*library_, c->body, c->body_definition), 1,
                      "character", room);
  }
  if (const auto* c = std::get_if<SpawnThing>(&command)) {
    return judge_more("spawn_thing", links_of_thing(*library_, c->thing, c->definition), 1, "thing",
                      room);
  }
  if (const auto* c = std::get_if<SetBody>(&command)) {
    const double more =
        links_of_creature(*library_, c->body, c->definition) - double(room.links_of(c->character));
    return more > 0 ? judge_more("set_body", more, 1, "larger body", room) : std::nullopt;
  }
  if (const auto* c = std::get_if<SetFlow>(&command)) return judge_flow(*c->flow, room);
  if (const auto* c = std::get_if<LoadScene>(&command)) {
    auto scene = library_->find_scene(c->scene);
    if (!scene) return std::nullopt;  // the room says so
    scene = with_fewer_people(std::move(scene), c->people);
    return judge_other("load_scene.scene", schema::in_quotes(c->scene), links_of(*scene, *library_),
                       most_characters(*scene), scene->thing_count());
  }
  return std::nullopt;
}

// People whom it lets in at most, beyond those whom the flow there is may let in.
std::optional<CommandError> WorkBudget::judge_flow(const v1::CrowdFlow& flow, const Room& room) {
  const std::size_t people =
      flow.most_people() != 0 ? flow.most_people() : behaviour::flow::Plan{}.most_people;
  if (flow.ByteSizeLong() == 0 || people <= room.most_of_flow()) return std::nullopt;
  CrowdMix mix;
  mix.bodies.assign(flow.bodies().begin(), flow.bodies().end());
  for (const auto& body : library_->body_list()) {
    if (flow.bodies().empty() && control::default_family(*body).walks) {
      mix.bodies.push_back(body->name);
    }
  }
  if (!flow.controller().empty()) mix.family = control::find_family(flow.controller());
  if (mix.bodies.empty()) return std::nullopt;
  const auto links_of_so_many = [&](std::size_t count) {
    return links_of_mix(*library_, mix, count, room.in_physics());
  };
  return judge_more("set_flow.flow.most_people",
                    links_of_so_many(people) - links_of_so_many(room.most_of_flow()),
                    people - room.most_of_flow(), "people", room);
}

std::optional<CommandError> WorkBudget::judge(const v1::Checkpoint& state) {
  if (max_load_ == 0) return std::nullopt;
  double sum = state.moving_links();
  if (sum == 0) {  // of a state that was saved before this was noted: as if all moved
    for (const auto& character : state.characters()) {
      sum += character.has_body_definition() ? double(character.body_definition().links_size())
                                             : links_of_creature(*library_, character.body(), {});
    }
  }
  // A state that has run here runs again: taking a room back to it must not be refused because the
  // machine is busy at this moment.
  if (sum <= most_moving_) return std::nullopt;
  return judge_other("checkpoint", "the earlier state", sum, std::size_t(state.characters_size()),
                     std::size_t(state.things_size()));
}

std::optional<CommandError> WorkBudget::judge_more(const char* field, double links,
                                                   std::size_t count, const char* what,
                                                   const Room& room) {
  const double moving = double(room.moving_links()), budget = max_load_ * tick_s_;
  const double cost = kUnmeasured * link_seconds();
  // The window has seen fewer or more links move than now.
  const double change = moving - mean_links();
  const double now = std::max(0.0, mean_seconds() + (change > 0 ? cost : link_seconds()) * change);
  const bool gone = moving < refused_at_;  // since something was refused
  const double limit = refused_at_ > 0 && !gone ? (1 - kFreeAgain) * budget : budget;
  if (now + cost * links <= limit || moving == 0) {
    refused_at_ = 0;
    return std::nullopt;
  }
  refused_at_ = std::max(refused_at_, moving);
  // The cost of those asked for, not of others that may cost less: a refused number never fits.
  const double each = links / double(std::max<std::size_t>(1, count));
  const double fit = cost > 0 ? std::floor(std::max(0.0, limit - now) / (cost * each)) : 0;
  const std::string here = std::to_string(room.character_count()) + " characters and " +
                           std::to_string(room.thing_count()) + " things";
  CommandError error = refuse(CommandError::Code::kBusy, field,
                              "more than this machine has time for: " + here + " take " +
                                  percent(now / tick_s_) + " of real time",
                              schema::number(fit) + " more characters now, within " +
                                  percent(max_load_) + "; remove some first");
  const std::string more =
      count == 1 ? std::string("one more ") + what : std::to_string(count) + " more " + what;
  error.message = "this machine is busy: " + here + " take " + percent(now / tick_s_) +
                  " of the time it has for this room, and " + more + " would take it beyond " +
                  percent(max_load_) + ". Wait, remove somebody first" +
                  (fit >= 1 ? ", or have up to " + schema::number(fit) + " more" : "");
  return error;
}

std::optional<CommandError> WorkBudget::judge_other(const char* field, const std::string& name,
                                                    double links, std::size_t characters,
                                                    std::size_t things) {
  const double cost = kUnmeasured * link_seconds(), budget = max_load_ * tick_s_;
  if (cost * links <= budget) return std::nullopt;
  const double each = characters > 0 ? links / double(characters) : links_of_walker(*library_);
  const std::string fit = schema::number(std::floor(budget / (cost * each)));
  const std::string with = name + ", with " + std::to_string(characters) + " characters and " +
                           std::to_string(things) + " things";
  const std::string share = percent(cost * links / tick_s_);
  CommandError error = refuse(CommandError::Code::kBusy, field,
                              with + ", which would take " + share + " of real time",
                              "up to " + fit + " such characters, within " + percent(max_load_) +
                                  "; serve with another --max-load to have more, 0 for no limit");
  error.message = "this machine is busy: " + with + ", would take " + share +
                  " of the time it has for this room, and " + percent(max_load_) +
                  " is the limit. Wait, or start with fewer people: up to " + fit + " such fit now";
  return error;
}

}  // namespace promenade::world
