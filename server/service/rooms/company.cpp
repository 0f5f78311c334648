#include "service/rooms/company.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "api/visitor_name.h"
#include "math/hash.h"
#include "stream/visitors.h"

namespace promenade::service {
namespace {

// Colours dark enough for white text (WCAG 2: 4.5 to 1), as unlike each other as that allows.
constexpr std::array<const char*, Company::kColors> kPalette = {
    "#c2410c", "#1d63b8", "#15803d", "#a21caf", "#6b6b00", "#0e7490",
    "#b91c4b", "#6d3fe0", "#27348b", "#6b2d16", "#0f4f48", "#475569"};

// How unlike two colours of the palette are: the distance of their red, green and blue, squared.
int distance(std::size_t a, std::size_t b) {
  const auto part = [](std::size_t color, std::size_t k) {
    return std::stoi(std::string(kPalette[color] + 1 + 2 * k, 2), nullptr, 16);
  };
  int sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const int difference = part(a, k) - part(b, k);
    sum += difference * difference;
  }
  return sum;
}

bool is_of_clock(const std::string& command) { return command == "pause" || command == "resume"; }

}  // namespace

void Company::enter(const std::string& visitor, const std::string& name) {
  const std::lock_guard lock(mutex_);
  auto [at, fresh] = visitors_.try_emplace(visitor);
  Visitor& one = at->second;
  ++one.connections;
  const bool shown = !name.empty() && !api::check_visitor_name("name", name);
  if (!fresh) {
    if (!shown || one.name == name) return;
    one.name = name;
  } else {
    one.color = free_color(visitor);
    one.number = ++last_number_;
    one.name = shown ? name : free_name(visitor);
  }
  list_changed_ = true;
}

void Company::leave(const std::string& visitor) {
  const std::lock_guard lock(mutex_);
  const auto at = visitors_.find(visitor);
  if (at == visitors_.end() || --at->second.connections > 0) return;
  attention_changed_ = attention_changed_ || at->second.attends();
  visitors_.erase(at);
  list_changed_ = true;
}

std::string Company::rename(const std::string& visitor, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto at = visitors_.find(visitor);
  if (at == visitors_.end()) return name;
  std::string wanted = name.empty() ? free_name(visitor) : name;
  if (at->second.name != wanted) {
    at->second.name = std::move(wanted);
    list_changed_ = true;
  }
  return at->second.name;
}

void Company::attend(const std::string& visitor, Attending attending, Time now) {
  const std::lock_guard lock(mutex_);
  const auto at = visitors_.find(visitor);
  if (at == visitors_.end()) return;
  Visitor& one = at->second;
  if (one.attending.selected == attending.selected && one.attending.pointer == attending.pointer) {
    return;
  }
  one.attending = std::move(attending);
  one.active = now;
  attention_changed_ = true;
}

void Company::handle(const std::string& visitor, world::CharacterId what, Time now) {
  const std::lock_guard lock(mutex_);
  const auto at = visitors_.find(visitor);
  if (at == visitors_.end()) return;
  Visitor& one = at->second;
  attention_changed_ = attention_changed_ || one.handles != what;
  one.handles = what;
  one.handled = one.active = now;
}

void Company::forget_attention() {
  const std::lock_guard lock(mutex_);
  for (auto& [id, one] : visitors_) {
    one.attending = {};
    one.handles = 0;
  }
  attention_changed_ = true;
}

std::size_t Company::size() const {
  const std::lock_guard lock(mutex_);
  return visitors_.size();
}

Company::News Company::news(Time now) {
  const std::lock_guard lock(mutex_);
  News news;
  if (list_changed_ && now - list_told_ >= kListEvery) {
    list_changed_ = false;
    list_told_ = now;
    news.visitors = last_told_ = next_list();
  }
  for (auto& [id, one] : visitors_) {
    if (one.handles == 0 || now - one.handled < kHandlesFor) continue;
    one.handles = 0;
    attention_changed_ = true;
  }
  // A visitor alone has nobody to tell. Names come first: attention goes by numbers in the list.
  if (attention_changed_ && !list_changed_ && visitors_.size() > 1) {
    attention_changed_ = false;
    news.attention = last_attention_ = next_attention();
  }
  return news;
}

std::shared_ptr<const VisitorsVersion> Company::last_told() const {
  const std::lock_guard lock(mutex_);
  return last_told_;
}

net::Bytes Company::last_attention() const {
  const std::lock_guard lock(mutex_);
  return last_attention_;
}

net::Bytes Company::tell(const std::string& visitor, v1::Act act, Time now) {
  const std::lock_guard lock(mutex_);
  const auto at = visitors_.find(visitor);
  act.set_visitor(visitor);
  act.set_name(at == visitors_.end() ? api::made_up_name(visitor) : at->second.name);
  act.set_color(at == visitors_.end() ? kNobodysColor : kPalette[at->second.color]);
  if (is_of_clock(act.command())) {
    // This is always told: else clocks would go on naming the visitor who paused before.
    return of_clock_ = net::make_bytes(stream::encode_act(act));
  }
  std::erase_if(acts_, [now](const auto& entry) { return now - entry.second >= kSameAct; });
  if (!act.has_push()) {  // a push is not a part of the one before, an edit is
    const auto [last, first] = acts_.try_emplace({visitor, {act.command(), act.character()}}, now);
    if (!first) return nullptr;
  }
  if (!acts_left_.take(now)) return nullptr;
  return net::make_bytes(stream::encode_act(act));
}

net::Bytes Company::last_of_clock() const {
  const std::lock_guard lock(mutex_);
  return of_clock_;
}

std::string Company::free_name(const std::string& visitor) const {
  std::set<std::string> taken;
  for (const auto& [id, one] : visitors_) {
    if (id != visitor) taken.insert(one.name);
  }
  constexpr unsigned kTurns = 20;
  for (unsigned turn = 0; turn < kTurns; ++turn) {
    std::string name = api::made_up_name(visitor, turn);
    if (!taken.contains(name)) return name;
  }
  return api::made_up_name(visitor);
}

// The colour that the fewest have; of several the one that is least like those in use, and of these
// one that goes by the visitor.
std::size_t Company::free_color(const std::string& visitor) const {
  std::array<int, kColors> used{};
  for (const auto& [id, one] : visitors_) {
    if (id != visitor) ++used[one.color];
  }
  Hash hash;
  hash.add(std::string_view(visitor));
  const std::size_t first = hash.value() % kColors;
  const auto unlike = [&used](std::size_t color) {
    int least = std::numeric_limits<int>::max();
    for (std::size_t other = 0; other < kColors; ++other) {
      if (used[other] > 0 && other != color) least = std::min(least, distance(color, other));
    }
    return least;
  };
  std::size_t best = first;
  for (std::size_t k = 1; k < kColors; ++k) {
    const std::size_t color = (first + k) % kColors;
    const bool fewer = used[color] < used[best];
    const bool as_few = used[color] == used[best];
    if (fewer || (as_few && unlike(color) > unlike(best))) best = color;
  }
  return best;
}

std::shared_ptr<const VisitorsVersion> Company::next_list() {
  auto list = std::make_shared<v1::Visitors>();
  list->set_version(++version_);
  std::vector<std::pair<std::uint32_t, const std::string*>> order;
  for (const auto& [id, one] : visitors_) order.emplace_back(one.number, &id);
  std::sort(order.begin(), order.end());
  for (const auto& [number, id] : order) {
    const Visitor& one = visitors_.at(*id);
    v1::VisitorEntry* entry = list->add_visitors();
    entry->set_number(number);
    entry->set_visitor(*id);
    entry->set_name(one.name);
    entry->set_color(kPalette[one.color]);
  }
  return std::make_shared<const VisitorsVersion>(version_, std::move(list), stream::encode_visitors,
                                                 stream::encode_visitors_change);
}

net::Bytes Company::next_attention() const {
  std::vector<const Visitor*> attending;
  for (const auto& [id, one] : visitors_) {
    if (one.attends()) attending.push_back(&one);
  }
  std::sort(attending.begin(), attending.end(), [](const Visitor* a, const Visitor* b) {
    return a->active != b->active ? a->active > b->active : a->number < b->number;
  });
  if (attending.size() > kMostAttending) attending.resize(kMostAttending);
  v1::Attention message;
  for (const Visitor* one : attending) {
    v1::VisitorAttention* entry = message.add_visitors();
    entry->set_number(one->number);
    for (const std::int32_t part : one->attending.pointer) entry->add_pointer(part);
    for (const world::CharacterId id : one->attending.selected) entry->add_selected(id);
    entry->set_handles(one->handles);
  }
  return net::make_bytes(stream::encode_attention(message));
}

}  // namespace promenade::service
