// Commands to characters that play gaits: set_gait, leap.
#include <cmath>
#include <numeric>

#include "promenade/v1/command.pb.h"
#include "world/command/applier.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

constexpr double kSumRounding = 1e-3;  // of shares, whose sum is 1

SetGait parse(const v1::SetGait& m, CommandChecker& check) {
  SetGait out{check.character(m.character()), check.name("gait", m.gait(), false)};
  if (m.has_definition() && !m.gait().empty()) {
    check.fail("definition", "given together with `gait`", "only one of the two");
  }
  if (m.has_definition()) {
    auto made = define_gait(m.definition(), check.prefix() + ".definition");
    if (auto* error = std::get_if<CommandError>(&made)) {
      check.fail(std::move(*error));
      return out;
    }
    out.definition = std::get<0>(std::move(made));
  }
  out.weights.assign(m.weights().begin(), m.weights().end());
  if (m.has_feedback()) out.feedback = m.feedback();
  if (out.weights.empty()) {
    if (!m.has_definition() && m.gait().empty() && !m.has_feedback()) {
      check.fail("gait", "empty", "a name, or `definition`, `weights` or `feedback` instead");
    }
    return out;
  }
  const double sum = std::accumulate(out.weights.begin(), out.weights.end(), 0.0);
  if (std::abs(sum - 1) > kSumRounding) {
    check.fail("weights", "of the sum " + schema::number(sum), "numbers whose sum is 1");
  }
  return out;
}

void write(const SetGait& c, v1::SetGait& m) {
  m.set_character(c.character);
  if (c.definition) {
    *m.mutable_definition() = c.definition->message;
  } else {
    m.set_gait(c.gait);
  }
  m.mutable_weights()->Assign(c.weights.begin(), c.weights.end());
  if (c.feedback) m.set_feedback(*c.feedback);
}

/// The character and its controller, or an error at the command's `character`.
std::pair<Entity*, control::GaitPlayer*> player(const char* command, CharacterId id,
                                                Applier& applier) {
  Entity* e = applier.character(command, id);
  if (!e) return {};
  if (control::GaitPlayer* found = e->controller->gait_player()) return {e, found};
  applier.error(
      CommandError::Code::kUnsupported, std::string(command) + ".character",
      std::to_string(id) + ", driven by " + std::string(e->family->name) + ", which plays no gaits",
      "a character driven by " + control::gait_families());
  return {};
}

/// The gait that the command gives to a body, once it is seen to fit. Null: it is refused.
std::shared_ptr<const GaitDefinition> wanted(const SetGait& c, const Creature& body,
                                             Applier& applier, std::size_t* variants) {
  const bool by_name = !c.definition;
  auto found = by_name ? applier.room.library->find_gait(c.gait) : c.definition;
  if (!found) {
    applier.error(CommandError::Code::kNotFound, "set_gait.gait", schema::in_quotes(c.gait),
                  applier.room.library->known_gaits(body.name));
    return nullptr;
  }
  auto fitting = fit_gait(*found, body, by_name ? "set_gait.gait" : "set_gait.definition");
  if (auto* wrong = std::get_if<CommandError>(&fitting)) {
    applier.result.error = std::move(*wrong);
    return nullptr;
  }
  *variants = std::get<0>(fitting)->variants.size();
  return found;
}

void apply(const SetGait& c, Applier& applier) {
  const auto [e, plays] = player("set_gait", c.character, applier);
  if (!e) return;
  std::shared_ptr<const GaitDefinition> next;
  std::size_t variants = plays->gait() ? plays->gait()->variants.size() : 0;
  if (c.definition || !c.gait.empty()) {
    next = wanted(c, *e->body, applier, &variants);
    if (!next || !applier.has_space("set_gait", {.gait = next.get()}, e)) return;
  } else if (!c.weights.empty() && !plays->gait()) {
    return applier.error(CommandError::Code::kInvalid, "set_gait.weights", "given",
                         "given together with a gait: the character has none");
  }
  if (!c.weights.empty() && c.weights.size() != 1 + variants) {
    return applier.error(CommandError::Code::kInvalid, "set_gait.weights",
                         std::to_string(c.weights.size()) + " numbers",
                         std::to_string(1 + variants) + ", for the gait and each of its " +
                             std::to_string(variants) + " variants");
  }
  if (next) {
    applier.result.before = e->gait_definition ? e->gait_definition->id : 0;
    applier.result.after = next->id;
    const bool shows = !e->gait_definition || applier.result.before != next->id;
    e->set_gait(std::move(next));
    if (shows) applier.room.roster.changed();
  }
  if (c.feedback) plays->set_feedback(*c.feedback);
  if (next || !c.weights.empty()) plays->mix_by_hand(c.weights);
}

Leap parse(const v1::Leap& m, CommandChecker& check) {
  return {check.character(m.character()), m.size() == 0 ? 1 : m.size()};
}
void write(const Leap& c, v1::Leap& m) {
  m.set_character(c.character);
  m.set_size(c.size);
}
void apply(const Leap& c, Applier& applier) {
  const auto [e, plays] = player("leap", c.character, applier);
  if (!e) return;
  if (!plays->gait() || plays->gait()->graph.chain.empty()) {
    const std::string of = plays->gait() ? ", whose gait, " + plays->gait()->name + ", has no chain"
                                         : ", which has no gait";
    return applier.error(CommandError::Code::kUnsupported, "leap.character",
                         std::to_string(c.character) + of,
                         "a character whose gait has a chain of states for a leap");
  }
  plays->leap(c.size);
}

}  // namespace

CommandKinds gait_kinds() {
  static const CommandKind kinds[] = {
      describe<SetGait, v1::SetGait, parse, write, apply>(),
      describe<Leap, v1::Leap, parse, write, apply>(),
  };
  return kinds;
}

}  // namespace promenade::world
