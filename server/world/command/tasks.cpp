// The commands set_tasks and share_tasks.
#include <algorithm>

#include "behaviour/tasks/shared_list.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "promenade/v1/command.pb.h"
#include "world/command/applier.h"
#include "world/command/kind.h"
#include "world/command/task_message.h"

namespace promenade::world {
namespace {

namespace todo = behaviour::tasks;
using behaviour::tasks::HandChoice;
using behaviour::tasks::kMostSharers;
using behaviour::tasks::kMostTasks;
using behaviour::tasks::SharedList;
using behaviour::tasks::TaskKind;
using behaviour::tasks::Worker;
using Code = CommandError::Code;

constexpr double kMaxSitOut = 3600;  // s

/// Reads and checks one task; its fields are named from `field` on.
class TaskParser {
 public:
  TaskParser(std::string field, CommandChecker& check) : field_(std::move(field)), check_(check) {}

  todo::Task parse(const v1::Task& m) {
    out_.speed = m.speed_mps();
    switch (m.kind_case()) {
      case v1::Task::kGoTo:
        go("go_to", TaskKind::kGoTo, m.go_to());
        turn(m.go_to());
        break;
      case v1::Task::kReach:
        reach(m.reach());
        break;
      case v1::Task::kPickUp:
        out_.kind = TaskKind::kPickUp;
        part_ = ".pick_up";
        thing(m.pick_up().thing());
        break;
      case v1::Task::kPutDown:
        put_down(m.put_down());
        break;
      case v1::Task::kPushTo:
        go("push_to", TaskKind::kPushTo, m.push_to());
        turn(m.push_to());
        thing(m.push_to().thing());
        break;
      case v1::Task::kPullTo:
        go("pull_to", TaskKind::kPullTo, m.pull_to());
        turn(m.pull_to());
        thing(m.pull_to().thing());
        break;
      case v1::Task::kClimb:
        go("climb", TaskKind::kClimb, m.climb());
        break;
      case v1::Task::kSitOut:
        out_.kind = TaskKind::kSitOut;
        part_ = ".sit_out";
        out_.seconds = m.sit_out().seconds();
        if (!(out_.seconds > 0 && out_.seconds <= kMaxSitOut)) {
          check_.fail(name("seconds"), schema::number(out_.seconds), "more than 0, up to 3600 s");
        }
        break;
      case v1::Task::kCarry:
        carry(m.carry());
        break;
      case v1::Task::kHandOver:
        out_.kind = TaskKind::kHandOver;
        part_ = ".hand_over";
        out_.somebody = m.hand_over().to();
        if (out_.somebody == 0) check_.fail(name("to"), "0", "the id of a character, 1 or more");
        break;
      case v1::Task::kTakeOver:
        out_.kind = TaskKind::kTakeOver;
        part_ = ".take_over";
        out_.somebody = m.take_over().from();
        break;
      case v1::Task::KIND_NOT_SET:
        check_.fail(field_, "empty",
                    "one of go_to, reach, pick_up, put_down, push_to, pull_to, climb, sit_out, "
                    "carry, hand_over, take_over");
        break;
    }
    return out_;
  }

 private:
  std::string name(const char* member) const { return field_ + part_ + "." + member; }
  void thing(std::uint32_t id) {
    if (id == 0) check_.fail(name("thing"), "0", "the id of a thing, 1 or more");
    out_.thing = id;
  }
  template <typename Repeated>
  void place(const Repeated& values) {
    out_.coordinates = values.size();
    std::copy(values.begin(), values.end(), out_.point.data());
  }
  template <typename Message>
  void go(const char* part, TaskKind kind, const Message& m) {
    part_ = std::string(".") + part;
    out_.kind = kind;
    place(m.position_m());
  }
  template <typename Message>
  void turn(const Message& m) {
    if (!m.has_heading_rad()) return;
    out_.turned = true;
    out_.heading = wrap_angle(m.heading_rad());
  }
  void reach(const v1::Reach& m) {
    out_.kind = TaskKind::kReach;
    part_ = ".reach";
    out_.thing = m.thing();
    place(m.point_m());
    if (m.thing() == 0 && m.point_m().empty()) {
      check_.fail(name("point_m"), "0 numbers", "3 numbers, without a thing");
    } else if (m.thing() != 0) {
      check_.vector(name("point_m"), m.point_m(), kMaxPushPoint, "m", true);
    }
    if (m.hand() < 0 || m.hand() > v1::BOTH_HANDS) {
      check_.fail(name("hand"), std::to_string(m.hand()),
                  "EITHER_HAND (0), LEFT_HAND (1), RIGHT_HAND (2) or BOTH_HANDS (3)");
    }
    out_.link = m.link();
    if (m.link() != 0 && m.point_m_size() == 0)
      check_.fail(name("link"), std::to_string(m.link()), "0 without point_m");
    else if (m.link() != 0 && m.thing() == 0)
      check_.fail(name("link"), std::to_string(m.link()), "0 without a thing");
    out_.hand = static_cast<HandChoice>(m.hand());
    out_.grip = m.grip();
    if (m.grip() && m.thing() == 0) check_.fail(name("grip"), "true", "true only with a thing");
    out_.seconds = m.hold_s();
  }
  void put_down(const v1::PutDown& m) {
    out_.kind = TaskKind::kPutDown;
    part_ = ".put_down";
    place(m.position_m());
    out_.on = m.on();
    if (m.position_m_size() > 0 && m.on() != 0)
      check_.fail(field_ + part_, "position_m and on", "only one of them");
    turn(m);
  }

  void carry(const v1::Carry& m) {
    out_.kind = TaskKind::kCarry;
    part_ = ".carry";
    thing(m.thing());
    place(m.position_m());
    out_.on = m.on();
    if ((m.position_m_size() > 0) == (m.on() != 0))
      check_.fail(field_ + part_, m.on() != 0 ? "position_m and on" : "neither position_m nor on",
                  "one of them");
    if (m.on() != 0 && m.on() == m.thing())
      check_.fail(name("on"), std::to_string(m.on()), "another thing than the one that is carried");
    turn(m);
  }

  std::string field_, part_;
  CommandChecker& check_;
  todo::Task out_;
};

SetTasks parse(const v1::SetTasks& m, CommandChecker& check) {
  SetTasks out{check.character(m.character()), {}, m.append(), m.repeat(), m.begin_at()};
  if (m.begin_at() != 0 && (m.append() || int(m.begin_at()) > m.tasks_size())) {
    check.fail("begin_at", std::to_string(m.begin_at()),
               m.append() ? "0 with append" : "0 to " + std::to_string(m.tasks_size()));
  }
  for (int i = 0; i < m.tasks_size() && check.ok(); ++i) {
    out.tasks.push_back(TaskParser(schema::indexed("tasks", i), check).parse(m.tasks(i)));
  }
  return out;
}

ShareTasks parse(const v1::ShareTasks& m, CommandChecker& check) {
  ShareTasks out{{}, {}, m.repeat(), m.append()};
  const auto in_range = [&check](const char* field, int size, std::size_t most) {
    if (size >= 1 && size <= int(most)) return true;
    check.fail(field, std::to_string(size), "1 to " + std::to_string(most) + " of them");
    return false;
  };
  if (!in_range("characters", m.characters_size(), kMostSharers)) return out;
  const bool adds_nothing = m.append() && m.tasks_size() == 0;
  if (!adds_nothing && !in_range("tasks", m.tasks_size(), kMostTasks)) return out;
  for (int i = 0; i < m.characters_size(); ++i) {
    const std::uint32_t id = m.characters(i);
    const bool twice =
        std::find(out.characters.begin(), out.characters.end(), id) != out.characters.end();
    if (id == 0 || twice) {
      check.fail(schema::indexed("characters", i), std::to_string(id),
                 "the id of a character, 1 or more, each once");
      return out;
    }
    out.characters.push_back(id);
  }
  for (int i = 0; i < m.tasks_size() && check.ok(); ++i) {
    const std::string field = schema::indexed("tasks", i);
    out.tasks.push_back(TaskParser(field, check).parse(m.tasks(i)));
    const TaskKind kind = out.tasks.back().kind;
    if (check.ok() && (kind == TaskKind::kPickUp || kind == TaskKind::kPutDown))
      check.fail(field, todo::task_name(kind), "carry, which is both, or another task");
    else if (check.ok() && (kind == TaskKind::kHandOver || kind == TaskKind::kTakeOver))
      check.fail(field, todo::task_name(kind), "tasks that one does alone");
  }
  return out;
}

template <typename Message>
void write_place(const todo::Task& task, Message& m) {
  m.mutable_position_m()->Assign(task.point.data(), task.point.data() + task.coordinates);
}
template <typename Message>
void write_pose(const todo::Task& task, Message& m) {
  write_place(task, m);
  if (task.turned) m.set_heading_rad(task.heading);
}

}  // namespace

void write_task(const todo::Task& task, v1::Task& m) {
  m.set_speed_mps(task.speed);
  switch (task.kind) {
    case TaskKind::kGoTo:
      return write_pose(task, *m.mutable_go_to());
    case TaskKind::kReach: {
      v1::Reach& to = *m.mutable_reach();
      to.set_thing(task.thing);
      to.mutable_point_m()->Assign(task.point.data(), task.point.data() + task.coordinates);
      to.set_hand(static_cast<v1::Hand>(task.hand));
      to.set_grip(task.grip);
      to.set_hold_s(task.seconds);
      to.set_link(task.link);
      return;
    }
    case TaskKind::kPickUp:
      return m.mutable_pick_up()->set_thing(task.thing);
    case TaskKind::kPutDown: {
      v1::PutDown& to = *m.mutable_put_down();
      write_pose(task, to);
      to.set_on(task.on);
      return;
    }
    case TaskKind::kCarry: {
      v1::Carry& to = *m.mutable_carry();
      to.set_thing(task.thing);
      write_pose(task, to);
      to.set_on(task.on);
      return;
    }
    case TaskKind::kHandOver:
      return m.mutable_hand_over()->set_to(task.somebody);
    case TaskKind::kTakeOver:
      return m.mutable_take_over()->set_from(task.somebody);
    case TaskKind::kPushTo:
      m.mutable_push_to()->set_thing(task.thing);
      return write_pose(task, *m.mutable_push_to());
    case TaskKind::kPullTo:
      m.mutable_pull_to()->set_thing(task.thing);
      return write_pose(task, *m.mutable_pull_to());
    case TaskKind::kClimb:
      return write_place(task, *m.mutable_climb());
    case TaskKind::kSitOut:
      return m.mutable_sit_out()->set_seconds(task.seconds);
  }
}

namespace {

void write(const SetTasks& c, v1::SetTasks& m) {
  m.set_character(c.character);
  for (const todo::Task& task : c.tasks) write_task(task, *m.add_tasks());
  m.set_append(c.append);
  m.set_repeat(c.repeat);
  m.set_begin_at(c.begin_at);
}

void write(const ShareTasks& c, v1::ShareTasks& m) {
  m.mutable_characters()->Assign(c.characters.begin(), c.characters.end());
  for (const todo::Task& task : c.tasks) write_task(task, *m.add_tasks());
  m.set_repeat(c.repeat);
  m.set_append(c.append);
}

/// Checks that a character is there and can do tasks with its hands; else the error at `field`.
Entity* find_worker(const std::string& field, CharacterId id, Applier& applier) {
  Entity* e = applier.room.occupants.find(id);
  if (!e) {
    applier.error(Code::kNotFound, field, std::to_string(id),
                  "a character of this room: " + applier.ids_of_characters());
    return nullptr;
  }
  if (!e->does_tasks()) {
    applier.error(Code::kUnsupported, field,
                  std::to_string(id) + ", driven by " + std::string(e->family->name) +
                      ", which does no tasks",
                  "a biped driven by gbwc");
    return nullptr;
  }
  return e;
}

/// Checks that everything a task names is there, and of the right kind.
bool check_task(const todo::Task& task, const std::string& field, CharacterId self,
                Applier& applier) {
  const auto refuse_id = [&](const char* member, CharacterId id, const std::string& allowed) {
    applier.error(Code::kNotFound,
                  field + "." + behaviour::tasks::task_name(task.kind) + "." + member,
                  std::to_string(id), allowed);
    return false;
  };
  if (task.on != 0 && !applier.room.occupants.find_prop(task.on))
    return refuse_id("on", task.on, "a thing of this room: " + applier.ids_of_things());
  if (task.somebody != 0) {
    const char* member = task.kind == TaskKind::kHandOver ? "to" : "from";
    const Entity* other = applier.room.occupants.find(task.somebody);
    if (task.somebody == self)
      return refuse_id(member, task.somebody, "somebody else than who does it");
    if (!other)
      return refuse_id(member, task.somebody, "another character: " + applier.ids_of_characters());
    if (!other->does_tasks()) {
      applier.error(
          Code::kUnsupported, field + "." + behaviour::tasks::task_name(task.kind) + "." + member,
          std::to_string(task.somebody) + ", which does no tasks", "a biped driven by gbwc");
      return false;
    }
  }
  if (task.thing != 0) {
    const bool somebody = task.kind == TaskKind::kReach;
    const bool there = somebody ? applier.room.occupants.find_occupant(task.thing) != nullptr
                                : applier.room.occupants.find_prop(task.thing) != nullptr;
    if (somebody && task.thing == self)
      return refuse_id("thing", task.thing, "something else than who does it");
    if (!there) {
      return refuse_id("thing", task.thing,
                       somebody ? "another character, or a thing: " + applier.ids_of_all()
                                : "a thing of this room: " + applier.ids_of_things());
    }
    const std::size_t links =
        applier.room.occupants.find_occupant(task.thing)->body->link_names.size();
    if (task.link >= links) {
      applier.error(Code::kInvalid, field + ".reach.link", std::to_string(task.link),
                    links == 1 ? "0, as it has one link" : "0 to " + std::to_string(links - 1));
      return false;
    }
  }
  return true;
}

void apply(const SetTasks& c, Applier& applier) {
  Entity* e = applier.character("set_tasks", c.character);
  if (!e || !find_worker("set_tasks.character", c.character, applier)) return;
  for (std::size_t i = 0; i < c.tasks.size(); ++i) {
    if (!check_task(c.tasks[i], "set_tasks." + schema::indexed("tasks", int(i)), e->id, applier))
      return;
  }
  auto* worker = dynamic_cast<Worker*>(e->behaviour.get());
  if (worker && c.append &&
      worker->list().all().size() - worker->list().current() + c.tasks.size() > kMostTasks) {
    return applier.error(Code::kInvalid, "set_tasks.tasks",
                         std::to_string(c.tasks.size()) + " more tasks",
                         "up to " + std::to_string(kMostTasks) + " altogether");
  }
  applier.room.shared.leave(e->id);
  if (worker && worker->shares()) worker->replace({}, false);
  e->need_physics(applier.room.tick_number, applier.room.dt());
  if (worker && c.append) {
    worker->append(c.tasks);
  } else if (worker) {
    worker->replace(c.tasks, c.repeat, c.begin_at);
  } else {
    auto fresh =
        std::make_unique<Worker>(std::vector<todo::Task>(), false, behaviour::stagger_of(e->id));
    fresh->replace(c.tasks, c.repeat, c.begin_at);
    e->follow(std::move(fresh));
  }
}

/// Adds to the list that the characters share.
void append_shared(const ShareTasks& c, Applier& applier) {
  const auto has = [](const SharedList& list, CharacterId id) {
    for (std::size_t i = 0; i < list.members(); ++i) {
      if (list.member(i) == id) return true;
    }
    return false;
  };
  SharedList* list = applier.room.shared.list_of(c.characters.front());
  for (std::size_t i = 0; i < c.characters.size(); ++i) {
    if (list && has(*list, c.characters[i])) continue;
    const std::string first = std::to_string(c.characters.front());
    return applier.error(Code::kUnsupported, "share_tasks." + schema::indexed("characters", int(i)),
                         std::to_string(c.characters[i]),
                         !list ? "somebody who shares tasks, where `append` is true"
                               : "one of those who share tasks with " + first);
  }
  if (!list->has_room_for(c.tasks.size(), c.repeat)) {
    return applier.error(Code::kInvalid, "share_tasks.tasks",
                         std::to_string(c.tasks.size()) + " more tasks",
                         "up to " + std::to_string(kMostTasks) + " altogether");
  }
  list->append(c.tasks, c.repeat);
}

void apply(const ShareTasks& c, Applier& applier) {
  for (std::size_t i = 0; i < c.characters.size(); ++i) {
    if (!find_worker("share_tasks." + schema::indexed("characters", int(i)), c.characters[i],
                     applier))
      return;
  }
  // Nobody reaches for themselves; of several characters another one does.
  const CharacterId self = c.characters.size() == 1 ? c.characters.front() : 0;
  for (std::size_t i = 0; i < c.tasks.size(); ++i) {
    if (!check_task(c.tasks[i], "share_tasks." + schema::indexed("tasks", int(i)), self, applier))
      return;
  }
  if (c.append) return append_shared(c, applier);
  for (const CharacterId id : c.characters) {
    Entity& e = *applier.room.occupants.find(id);
    applier.room.shared.leave(id);
    e.need_physics(applier.room.tick_number, applier.room.dt());
    if (!dynamic_cast<Worker*>(e.behaviour.get()))
      e.follow(
          std::make_unique<Worker>(std::vector<todo::Task>(), false, behaviour::stagger_of(id)));
    static_cast<Worker&>(*e.behaviour).share();
  }
  applier.room.shared.share(c.characters, c.tasks, c.repeat);
}

}  // namespace

CommandKinds task_kinds() {
  static const CommandKind kinds[] = {
      describe<SetTasks, v1::SetTasks, parse, write, apply>(),
      describe<ShareTasks, v1::ShareTasks, parse, write, apply>(),
  };
  return kinds;
}

}  // namespace promenade::world
