#include "world/command_codec.h"

#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>

#include <cmath>
#include <type_traits>

#include "math/rotation.h"
#include "world/definitions.h"
#include "world/format.h"

namespace promenade::world {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr const char* kKinds =
    "one of set_velocity, set_heading, stop, follow_path, push, set_style, spawn, remove, reset, "
    "pause, resume, single_step, set_time_scale, load_scene, set_wander, set_body";

// Collects the first error; the checks after it are skipped.
class Checker {
 public:
  explicit Checker(std::string prefix) : prefix_(std::move(prefix)) {}

  bool ok() const { return !failed_; }
  CommandError take() { return std::move(error_); }
  const std::string& prefix() const { return prefix_; }
  void fail(CommandError error) {
    if (failed_) return;
    failed_ = true;
    error_ = std::move(error);
  }

  void fail(const std::string& field, std::string value, std::string allowed) {
    if (failed_) return;
    failed_ = true;
    error_.code = CommandError::Code::kInvalid;
    error_.field = prefix_ + "." + field;
    error_.value = std::move(value);
    error_.allowed = std::move(allowed);
    error_.message = error_.field + " is " + error_.value + "; allowed: " + error_.allowed;
  }

  double number(const std::string& field, double value, double low, double high, const char* unit) {
    if (!std::isfinite(value) || value < low || value > high) {
      fail(field, format_number(value), format_range(low, high, unit));
    }
    return value;
  }

  CharacterId character(std::uint32_t id) {
    if (id == 0) fail("character", "0", "the id of a character, 1 or more");
    return id;
  }

  std::string name(const std::string& field, const std::string& value, bool required) {
    if (value.empty() ? required : value.size() > kMaxNameLength) {
      fail(field, value.empty() ? "empty" : format_quoted(value),
           "a name of 1 to " + std::to_string(kMaxNameLength) + " characters");
    }
    return value;
  }

  template <typename Repeated>
  bool length(const std::string& field, const Repeated& values, int wanted, bool may_be_empty) {
    if (values.size() == wanted) return true;
    if (values.empty() && may_be_empty) return false;
    fail(field, std::to_string(values.size()) + " numbers",
         std::to_string(wanted) + " numbers" + (may_be_empty ? ", or none" : ""));
    return false;
  }

  template <typename Repeated>
  std::optional<Vec2> ground_point(const std::string& field, const Repeated& values) {
    if (!length(field, values, 2, true)) return std::nullopt;
    for (int i = 0; i < 2; ++i) {
      number(indexed(field, i), values[i], -kMaxCoordinate, kMaxCoordinate, "m");
    }
    return Vec2(values[0], values[1]);
  }

  static std::string indexed(const std::string& field, int i) {
    return field + "[" + std::to_string(i) + "]";
  }

 private:
  std::string prefix_;
  bool failed_ = false;
  CommandError error_;
};

// Path and number of the first field that this program does not know, or an empty path.
std::pair<std::string, int> find_unknown(const Message& message) {
  const auto* reflection = message.GetReflection();
  const auto& unknown = reflection->GetUnknownFields(message);
  if (!unknown.empty()) return {message.GetDescriptor()->name(), unknown.field(0).number()};
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const Message& child = field->is_repeated()
                                 ? reflection->GetRepeatedMessage(message, field, i)
                                 : reflection->GetMessage(message, field);
      auto found = find_unknown(child);
      if (found.second != 0) return found;
    }
  }
  return {"", 0};
}

Command parse_path(const v1::FollowPath& m, Checker& check) {
  FollowPath out{check.character(m.character()), {}, m.path().closed(), 0};
  const int count = m.path().points_size();
  if (count < 1 || count > kMaxPathPoints) {
    check.fail("path.points", std::to_string(count) + " points",
               "1 to " + std::to_string(kMaxPathPoints) + " points");
    return out;
  }
  out.points.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count && check.ok(); ++i) {
    const auto& p = m.path().points(i);
    const std::string field = Checker::indexed("path.points", i);
    out.points.emplace_back(
        check.number(field + ".x_m", p.x_m(), -kMaxCoordinate, kMaxCoordinate, "m"),
        check.number(field + ".y_m", p.y_m(), -kMaxCoordinate, kMaxCoordinate, "m"));
  }
  out.speed = check.number("path.speed_mps", m.path().speed_mps(), 0, kMaxSpeed, "m/s");
  return out;
}

Command parse_push(const v1::Push& m, Checker& check) {
  Push out{check.character(m.character()), check.name("link", m.link(), false), Vec3::Zero(),
           Vec3::Zero(), kDefaultPushDuration};
  if (out.link.empty()) out.link = "torso";
  if (check.length("point_m", m.point_m(), 3, true)) {
    for (int i = 0; i < 3; ++i) {
      out.point[i] = check.number(Checker::indexed("point_m", i), m.point_m(i), -kMaxPushPoint,
                                  kMaxPushPoint, "m");
    }
  }
  if (check.length("force_n", m.force_n(), 3, false)) {
    for (int i = 0; i < 3; ++i) {
      out.force[i] = check.number(Checker::indexed("force_n", i), m.force_n(i), -kMaxPushForce,
                                  kMaxPushForce, "N");
    }
    if (check.ok() && out.force.norm() > kMaxPushForce) {
      check.fail("force_n", "of magnitude " + format_number(out.force.norm()),
                 "a magnitude of " + format_range(0, kMaxPushForce, "N"));
    }
  }
  const double duration = check.number("duration_s", m.duration_s(), 0, kMaxPushDuration, "s");
  if (duration > 0) out.duration = duration;
  return out;
}

Command parse_velocity(const v1::SetVelocity& m, Checker& check) {
  SetVelocity out{check.character(m.character()), Vec2::Zero(), Frame::kCharacter};
  out.velocity.x() = check.number("x_mps", m.x_mps(), -kMaxSpeed, kMaxSpeed, "m/s");
  out.velocity.y() = check.number("y_mps", m.y_mps(), -kMaxSpeed, kMaxSpeed, "m/s");
  if (m.frame() == v1::WORLD) {
    out.frame = Frame::kWorld;
  } else if (m.frame() != v1::CHARACTER) {
    check.fail("frame", std::to_string(m.frame()), "CHARACTER (0) or WORLD (1)");
  }
  return out;
}

// A definition in a message, checked as far as it can be without knowing other bodies.
std::shared_ptr<const StyleDefinition> parse_definition(const std::string& field,
                                                        const v1::Style& m, Checker& check) {
  auto made = define_style(m, check.prefix() + "." + field);
  if (auto* error = std::get_if<CommandError>(&made)) {
    check.fail(std::move(*error));
    return nullptr;
  }
  return std::get<0>(std::move(made));
}
std::shared_ptr<const CreatureDefinition> parse_definition(const v1::Creature& m) {
  auto unresolved = std::make_shared<CreatureDefinition>();
  unresolved->given = m;
  return unresolved;
}

// A name and a definition exclude each other. @return whether this is right so far
bool check_choice(const std::string& name_field, const std::string& name,
                  const std::string& definition_field, bool has_definition, Checker& check) {
  if (has_definition && !name.empty()) {
    check.fail(definition_field, "given beside `" + name_field + "`", "one of the two");
  } else if (!has_definition && name.empty()) {
    check.fail(name_field, "empty", "a name, or `" + definition_field + "` instead");
  }
  return check.ok();
}

Command parse_style(const v1::SetStyle& m, Checker& check) {
  SetStyle out{check.character(m.character()), check.name("style", m.style(), false)};
  if (check_choice("style", m.style(), "definition", m.has_definition(), check) &&
      m.has_definition()) {
    out.definition = parse_definition("definition", m.definition(), check);
  }
  return out;
}

Command parse_body(const v1::SetBody& m, Checker& check) {
  SetBody out{check.character(m.character()), check.name("body", m.body(), false)};
  if (check_choice("body", m.body(), "definition", m.has_definition(), check) &&
      m.has_definition()) {
    out.definition = parse_definition(m.definition());
  }
  return out;
}

Command parse_spawn(const v1::Spawn& m, Checker& check) {
  Spawn out{check.name("body", m.body(), false), check.name("style", m.style(), false),
            check.ground_point("position_m", m.position_m()),
            check.number("heading_rad", m.heading_rad(), -kMaxHeading, kMaxHeading, "rad"),
            m.wander()};
  check_choice("body", m.body(), "body_definition", m.has_body_definition(), check);
  if (m.has_body_definition()) out.body_definition = parse_definition(m.body_definition());
  if (m.has_style_definition()) {
    if (!m.style().empty())
      check.fail("style_definition", "given beside `style`", "one of the two");
    out.style_definition = parse_definition("style_definition", m.style_definition(), check);
  } else if (out.style.empty()) {
    out.style = "normal";
  }
  out.heading = wrap_angle(out.heading);
  return out;
}

Command parse_steps(const v1::SingleStep& m, Checker& check) {
  if (m.ticks() > kMaxSingleSteps) {
    check.fail("ticks", std::to_string(m.ticks()),
               "1 to " + std::to_string(kMaxSingleSteps) + " ticks; 0 means 1");
  }
  return SingleStep{m.ticks() == 0 ? 1 : m.ticks()};
}

Command parse_time_scale(const v1::SetTimeScale& m, Checker& check) {
  if (!(m.scale() == 0 || (m.scale() >= kMinTimeScale && m.scale() <= kMaxTimeScale))) {
    check.fail("scale", format_number(m.scale()),
               format_range(kMinTimeScale, kMaxTimeScale, "") + ", or 0: as fast as possible");
  }
  return SetTimeScale{m.scale()};
}

Command parse_wander(const v1::SetWander& m, Checker& check) {
  SetWander out{check.character(m.character()), check.ground_point("center_m", m.center_m()),
                kDefaultWanderRadius};
  if (m.radius_m() != 0) {
    out.radius = check.number("radius_m", m.radius_m(), kMinWanderRadius, kMaxWanderRadius, "m");
  }
  return out;
}

Command parse(const v1::Command& m, Checker& check) {
  switch (m.kind_case()) {
    case v1::Command::kSetVelocity:
      return parse_velocity(m.set_velocity(), check);
    case v1::Command::kSetHeading:
      return SetHeading{check.character(m.set_heading().character()),
                        wrap_angle(check.number("heading_rad", m.set_heading().heading_rad(),
                                                -kMaxHeading, kMaxHeading, "rad"))};
    case v1::Command::kStop:
      return Stop{check.character(m.stop().character())};
    case v1::Command::kFollowPath:
      return parse_path(m.follow_path(), check);
    case v1::Command::kPush:
      return parse_push(m.push(), check);
    case v1::Command::kSetStyle:
      return parse_style(m.set_style(), check);
    case v1::Command::kSetBody:
      return parse_body(m.set_body(), check);
    case v1::Command::kSpawn:
      return parse_spawn(m.spawn(), check);
    case v1::Command::kRemove:
      return Remove{check.character(m.remove().character())};
    case v1::Command::kReset:
      return Reset{m.reset().character()};
    case v1::Command::kPause:
      return Pause{};
    case v1::Command::kResume:
      return Resume{};
    case v1::Command::kSingleStep:
      return parse_steps(m.single_step(), check);
    case v1::Command::kSetTimeScale:
      return parse_time_scale(m.set_time_scale(), check);
    case v1::Command::kLoadScene:
      return LoadScene{check.name("scene", m.load_scene().scene(), true)};
    case v1::Command::kSetWander:
      return parse_wander(m.set_wander(), check);
    case v1::Command::KIND_NOT_SET:
      break;
  }
  return Pause{};  // not reached: the caller has refused a message without a kind
}

template <typename Out>
void put2(const Vec2& v, Out* out) {
  out->Add(v.x());
  out->Add(v.y());
}
template <typename Out>
void put3(const Vec3& v, Out* out) {
  for (int i = 0; i < 3; ++i) out->Add(v[i]);
}

struct Writer {
  v1::Command& out;

  void operator()(const SetVelocity& c) const {
    auto* m = out.mutable_set_velocity();
    m->set_character(c.character);
    m->set_x_mps(c.velocity.x());
    m->set_y_mps(c.velocity.y());
    m->set_frame(c.frame == Frame::kWorld ? v1::WORLD : v1::CHARACTER);
  }
  void operator()(const SetHeading& c) const {
    out.mutable_set_heading()->set_character(c.character);
    out.mutable_set_heading()->set_heading_rad(c.heading);
  }
  void operator()(const Stop& c) const { out.mutable_stop()->set_character(c.character); }
  void operator()(const FollowPath& c) const {
    auto* m = out.mutable_follow_path();
    m->set_character(c.character);
    for (const Vec2& p : c.points) {
      auto* point = m->mutable_path()->add_points();
      point->set_x_m(p.x());
      point->set_y_m(p.y());
    }
    m->mutable_path()->set_closed(c.closed);
    m->mutable_path()->set_speed_mps(c.speed);
  }
  void operator()(const Push& c) const {
    auto* m = out.mutable_push();
    m->set_character(c.character);
    m->set_link(c.link);
    put3(c.point, m->mutable_point_m());
    put3(c.force, m->mutable_force_n());
    m->set_duration_s(c.duration);
  }
  void operator()(const SetStyle& c) const {
    out.mutable_set_style()->set_character(c.character);
    if (c.definition) {
      *out.mutable_set_style()->mutable_definition() = c.definition->message;
    } else {
      out.mutable_set_style()->set_style(c.style);
    }
  }
  void operator()(const SetBody& c) const {
    out.mutable_set_body()->set_character(c.character);
    if (c.definition) {
      *out.mutable_set_body()->mutable_definition() = portable(*c.definition);
    } else {
      out.mutable_set_body()->set_body(c.body);
    }
  }
  void operator()(const Spawn& c) const {
    auto* m = out.mutable_spawn();
    if (c.body_definition) {
      *m->mutable_body_definition() = portable(*c.body_definition);
    } else {
      m->set_body(c.body);
    }
    if (c.style_definition) {
      *m->mutable_style_definition() = c.style_definition->message;
    } else {
      m->set_style(c.style);
    }
    if (c.position) put2(*c.position, m->mutable_position_m());
    m->set_heading_rad(c.heading);
    m->set_wander(c.wander);
  }
  void operator()(const Remove& c) const { out.mutable_remove()->set_character(c.character); }
  void operator()(const Reset& c) const { out.mutable_reset()->set_character(c.character); }
  void operator()(const Pause&) const { out.mutable_pause(); }
  void operator()(const Resume&) const { out.mutable_resume(); }
  void operator()(const SingleStep& c) const { out.mutable_single_step()->set_ticks(c.ticks); }
  void operator()(const SetTimeScale& c) const { out.mutable_set_time_scale()->set_scale(c.scale); }
  void operator()(const LoadScene& c) const { out.mutable_load_scene()->set_scene(c.scene); }
  void operator()(const SetWander& c) const {
    auto* m = out.mutable_set_wander();
    m->set_character(c.character);
    if (c.center) put2(*c.center, m->mutable_center_m());
    m->set_radius_m(c.radius);
  }
};

template <typename T>
concept NamesCharacter = requires(T c) {
  c.character;
};

}  // namespace

std::variant<Command, CommandError> command_from_proto(const v1::Command& message) {
  if (const auto [where, number] = find_unknown(message); number != 0) {
    CommandError error;
    error.field = where + ", field number " + std::to_string(number);
    error.value = "unknown";
    error.allowed = "the fields of promenade/v1/command.proto";
    error.message = error.field + " is not known to this server; allowed: " + error.allowed;
    return error;
  }
  if (message.kind_case() == v1::Command::KIND_NOT_SET) {
    CommandError error;
    error.field = "command";
    error.value = "empty";
    error.allowed = kKinds;
    error.message = std::string("the command is empty; allowed: ") + kKinds;
    return error;
  }
  const auto* field = v1::Command::descriptor()->FindFieldByNumber(message.kind_case());
  Checker check(field->name());
  Command command = parse(message, check);
  if (!check.ok()) return check.take();
  return command;
}

v1::Command command_to_proto(const Command& command) {
  v1::Command out;
  std::visit(Writer{out}, command);
  return out;
}

const char* command_name(const Command& command) {
  // In the order of the variant.
  static constexpr const char* kNames[] = {
      "set_velocity",   "set_heading", "stop",       "follow_path", "push",   "set_style",
      "spawn",          "remove",      "reset",      "pause",       "resume", "single_step",
      "set_time_scale", "load_scene",  "set_wander", "set_body"};
  static_assert(std::size(kNames) == std::variant_size_v<Command>);
  return kNames[command.index()];
}

CharacterId command_character(const Command& command) {
  return std::visit(
      [](const auto& c) -> CharacterId {
        if constexpr (NamesCharacter<decltype(c)>) return c.character;
        return 0;
      },
      command);
}

Command with_character(Command command, CharacterId character) {
  std::visit(
      [character](auto& c) {
        if constexpr (NamesCharacter<decltype(c)>) c.character = character;
      },
      command);
  return command;
}

bool is_room_command(const Command& command) {
  return std::visit(
      [](const auto& c) {
        using T = std::decay_t<decltype(c)>;
        return std::is_same_v<T, Remove> || std::is_same_v<T, Pause> || std::is_same_v<T, Resume> ||
               std::is_same_v<T, SingleStep> || std::is_same_v<T, SetTimeScale> ||
               std::is_same_v<T, LoadScene>;
      },
      command);
}

}  // namespace promenade::world
