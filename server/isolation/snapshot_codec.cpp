#include "isolation/snapshot_codec.h"

#include <algorithm>
#include <set>
#include <type_traits>

#include "isolation/archive.h"
#include "isolation/definition_codec.h"

namespace promenade::isolation {
namespace {

using world::CharacterSnapshot;
using world::CreatureDefinition;
using world::GaitDefinition;
using world::Roster;
using world::Snapshot;
using world::StyleDefinition;

/// The definitions of a roster on the wire.
struct Links {
  std::vector<std::pair<std::uint64_t, std::string>> fresh;  // number and SharedDefinition
  std::vector<std::uint64_t> bodies, styles, gaits;          // [entries] each
  std::vector<std::uint64_t> things;                         // [things]
};
void exchange(Archive& a, Links& links) {
  a.list(links.fresh, [&a](auto& one) { a(one.first, one.second); });
  a(links.bodies, links.styles, links.gaits, links.things);
}

/// Whether each of `shown` is that of `entries` and has its coordinates among `count`.
template <typename Shown, typename Entries>
bool agree(const Shown& shown, const Entries& entries, std::size_t count) {
  if (shown.size() != entries.size()) return false;
  std::size_t next = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (shown[i].id != entries[i].id || shown[i].first_coordinate != next) return false;
    next += entries[i].coordinates;
  }
  return next == count;
}

bool agree(const Snapshot& s) {
  const auto in_range = [&s](const world::ContactSnapshot& contact) {
    return contact.character_index < s.characters.size();
  };
  std::size_t way_point = 0;
  for (const CharacterSnapshot& one : s.characters) {
    if (one.first_way_point < way_point || one.first_way_point > s.way_points.size()) return false;
    way_point = one.first_way_point;
  }
  return agree(s.characters, s.roster->entries, s.coordinates.size()) &&
         agree(s.things, s.roster->things, s.thing_coordinates.size()) &&
         std::all_of(s.contacts.begin(), s.contacts.end(), in_range);
}

template <typename Map>
void drop_unused(Map& map, const std::set<std::uint64_t>& used) {
  std::erase_if(map, [&used](const auto& one) { return !used.contains(one.first); });
}

}  // namespace

template <typename Definition>
std::uint64_t SnapshotEncoder::number_of(const std::shared_ptr<const Definition>& definition,
                                         bool thing) {
  if (!definition) return 0;
  Known& known = known_[definition.get()];
  known.used = true;
  if (known.number == 0) {
    known.number = ++last_number_;
    known.kept = definition;
    if constexpr (!std::is_same_v<Definition, CreatureDefinition>) {
      fresh_[known.number] = encode_definition(*definition).SerializeAsString();
    } else {
      fresh_[known.number] = encode_definition(*definition, thing).SerializeAsString();
    }
  }
  return known.number;
}

void SnapshotEncoder::encode(const Snapshot& snapshot, std::string& out) {
  Archive archive = Archive::writer(out);
  bool whole = snapshot.roster != roster_;
  archive(whole);
  if (whole) {
    roster_ = snapshot.roster;
    Links links;
    for (auto& [address, known] : known_) known.used = false;
    for (const auto& entry : roster_->entries) {
      links.bodies.push_back(number_of(entry.body_definition, false));
      links.styles.push_back(number_of(entry.style_definition, false));
      links.gaits.push_back(number_of(entry.gait_definition, false));
    }
    for (const auto& entry : roster_->things) {
      links.things.push_back(number_of(entry.body_definition, true));
    }
    std::erase_if(known_, [](const auto& one) { return !one.second.used; });
    links.fresh.assign(fresh_.begin(), fresh_.end());
    fresh_.clear();
    exchange(archive, links);
    archive(const_cast<Roster&>(*roster_));  // a writer changes nothing
  }
  archive(const_cast<Snapshot&>(snapshot));  // a writer changes nothing
}

std::shared_ptr<const Snapshot> SnapshotDecoder::decode(std::string_view bytes) {
  Archive archive = Archive::reader(bytes);
  bool whole = false;
  archive(whole);
  if (whole) {
    Links links;
    auto roster = std::make_shared<Roster>();
    exchange(archive, links);
    archive(*roster);
    if (!archive.good() || links.bodies.size() != roster->entries.size() ||
        links.styles.size() != roster->entries.size() ||
        links.gaits.size() != roster->entries.size() ||
        links.things.size() != roster->things.size()) {
      return nullptr;
    }
    for (const auto& [number, text] : links.fresh) {
      v1::SharedDefinition message;
      if (!message.ParseFromString(text)) return nullptr;
      // A name alone does not say of which kind it is: who uses the number knows.
      const bool named = !message.built_in().empty();
      if (named || message.has_given()) bodies_[number] = decode_body(message, *library_);
      if (named || message.has_style()) styles_[number] = decode_style(message, *library_);
      if (named || message.has_gait()) gaits_[number] = decode_gait(message, *library_);
    }
    roster->epoch += epoch_;
    roster->version += version_;
    roster->bodies = library_->body_list();
    const auto take_body = [&](auto& entry, std::uint64_t number) {
      const auto found = bodies_.find(number);
      if (found == bodies_.end() || !found->second || entry.body < 0) return false;
      entry.body_definition = found->second;
      const auto index = std::size_t(entry.body);
      if (index >= roster->lengths.size()) return false;
      if (index >= roster->bodies.size()) roster->bodies.resize(index + 1);
      roster->bodies[index] = found->second->body;
      return true;
    };
    std::set<std::uint64_t> used;
    for (std::size_t i = 0; i < roster->entries.size(); ++i) {
      if (!take_body(roster->entries[i], links.bodies[i])) return nullptr;
      used.insert(links.bodies[i]);
      // Number 0 is none.
      const auto take = [&used](const auto& known, std::uint64_t number, auto& into) {
        if (number == 0) return true;
        used.insert(number);
        const auto found = known.find(number);
        if (found == known.end() || !found->second) return false;
        into = found->second;
        return true;
      };
      if (!take(styles_, links.styles[i], roster->entries[i].style_definition)) return nullptr;
      if (!take(gaits_, links.gaits[i], roster->entries[i].gait_definition)) return nullptr;
    }
    for (std::size_t i = 0; i < roster->things.size(); ++i) {
      if (!take_body(roster->things[i], links.things[i])) return nullptr;
      used.insert(links.things[i]);
    }
    for (const auto& body : roster->bodies) {
      if (!body) return nullptr;
    }
    drop_unused(bodies_, used);
    drop_unused(styles_, used);
    drop_unused(gaits_, used);
    roster_ = std::move(roster);
  }
  auto snapshot = std::make_shared<Snapshot>();
  archive(*snapshot);
  snapshot->roster = roster_;
  if (!archive.good() || archive.left() != 0 || !roster_ || !agree(*snapshot)) return nullptr;
  return snapshot;
}

}  // namespace promenade::isolation
