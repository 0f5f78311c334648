#pragma once

#include "world/entity/entity.h"
#include "world/entity/id_list.h"
#include "world/entity/prop.h"

namespace promenade::world {

/// The characters and things of a room, and the ids that the next ones get. Both kinds take their
/// ids from one row, so that an id names one body. A body's *place* is its index where the
/// characters come first and the things after them, as islands count their members.
struct Occupants {
  IdList<Entity> entities;
  IdList<Prop> props;
  CharacterId next_id = 1;
  CharacterId first_id = 1;  // of the scene's own characters

  // Null: there is none of this id.
  Entity* find(CharacterId id) { return entities.find(id); }
  const Entity* find(CharacterId id) const { return entities.find(id); }
  Prop* find_prop(CharacterId id) { return props.find(id); }
  const Prop* find_prop(CharacterId id) const { return props.find(id); }
  Occupant* find_occupant(CharacterId id) {
    if (Entity* e = find(id)) return e;
    return find_prop(id);
  }
  const Occupant* find_occupant(CharacterId id) const {
    if (const Entity* e = find(id)) return e;
    return find_prop(id);
  }

  /// Removes the body of this id, if it is there.
  void remove(CharacterId id) {
    const auto is_it = [id](const Occupant* one) { return one->id == id; };
    if (entities.erase_if(is_it) == 0) props.erase_if(is_it);
  }

  /// Links that a tick's work is like: without things that sleep and people who are away.
  std::size_t moving_links() const {
    std::size_t sum = 0;
    for (const Entity* e : entities) sum += e->away ? 0 : e->work();
    for (const Prop* prop : props) sum += prop->asleep ? 0 : prop->body->link_names.size();
    return sum;
  }
  std::size_t count() const { return entities.size() + props.size(); }
  /// @param place  below count()
  Occupant& at(std::size_t place) {
    if (place < entities.size()) return *entities[place];
    return *props[place - entities.size()];
  }
  const Occupant& at(std::size_t place) const {
    if (place < entities.size()) return *entities[place];
    return *props[place - entities.size()];
  }
  /// @pre find_occupant(id)
  std::uint32_t place_of(CharacterId id) const {
    if (find(id)) return std::uint32_t(entities.place_of(id));
    return std::uint32_t(entities.size() + props.place_of(id));
  }
};

}  // namespace promenade::world
