#include "service/http/definitions_api.h"

#include <charconv>
#include <optional>
#include <utility>

#include "api/decode.h"
#include "api/replies.h"
#include "control/registry.h"
#include "schema/check.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "service/commands/command_metrics.h"
#include "service/http/http_answers.h"
#include "service/http/task_list.h"
#include "service/store/catalogue.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using store::Kind;
using world::CommandError;

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

CommandError invalid(std::string field, std::string value, std::string allowed) {
  return world::refuse(Code::kInvalid, std::move(field), std::move(value), std::move(allowed));
}

// A callback that answers the request with the message it is given, or with the error.
template <typename Message>
SavedDefinitions::Reply<Message> answer_with(const net::HttpReply& reply) {
  return [reply](std::variant<Message, CommandError> result) {
    if (auto* error = std::get_if<CommandError>(&result)) return reply(refusal(std::move(*error)));
    reply(json_response(200, std::get<Message>(result)));
  };
}

v1::StyleRecord record_of(const world::StyleDefinition& style) {
  v1::StyleRecord out;
  *out.mutable_info() = entry_of(style);
  *out.mutable_definition() = style.message;
  return out;
}

v1::BodyRecord record_of(const world::CreatureDefinition& body) {
  v1::BodyRecord out;
  *out.mutable_info() = entry_of(body);
  *out.mutable_definition() = body.given;
  *out.mutable_resolved() = body.whole;
  return out;
}

v1::GaitRecord record_of(const world::GaitDefinition& gait) {
  v1::GaitRecord out;
  *out.mutable_info() = entry_of(gait);
  *out.mutable_definition() = gait.message;
  return out;
}

net::HttpResponse gait_of(const world::RosterEntry& entry, std::uint64_t tick) {
  if (!entry.gait_definition) {
    return refusal(api::make_error(
        Code::kNotFound, "the character has no gait", "character", std::to_string(entry.id),
        "a character with a gait, driven by " + control::gait_families()));
  }
  v1::GaitRecord record = record_of(*entry.gait_definition);
  record.set_id(entry.gait_definition->id);
  record.set_tick(tick);
  return json_response(200, record);
}

}  // namespace

// A request's address, taken apart.
struct DefinitionsApi::Target {
  Kind kind = Kind::kStyle;
  std::string name;  // empty: all names
  bool versions = false;
  std::optional<std::uint32_t> version;  // ?version=N
  std::optional<CommandError> error;     // of the query

  const char* what() const { return store::kind_name(kind); }

  // Nothing if the path is not one of styles, bodies or gaits.
  static std::optional<Target> of(const net::HttpRequest& request) {
    Target target;
    std::string_view path = request.path;
    constexpr std::pair<std::string_view, Kind> kPaths[] = {{"/api/v1/styles", Kind::kStyle},
                                                            {"/api/v1/bodies", Kind::kBody},
                                                            {"/api/v1/gaits", Kind::kGait}};
    const auto* found = std::find_if(std::begin(kPaths), std::end(kPaths), [path](const auto& one) {
      return path.starts_with(one.first);
    });
    if (found == std::end(kPaths)) return std::nullopt;
    path.remove_prefix(found->first.size());
    target.kind = found->second;
    if (!path.empty()) {
      if (path.front() != '/') return std::nullopt;
      path.remove_prefix(1);
      const auto slash = path.find('/');
      target.name = path.substr(0, slash);
      if (target.name.empty()) return std::nullopt;
      if (slash != path.npos) {
        if (path.substr(slash) != "/versions") return std::nullopt;
        target.versions = true;
      }
    }
    if (!request.query.empty()) target.read_query(request.query);
    return target;
  }

  void read_query(std::string_view query) {
    constexpr std::string_view kVersion = "version=";
    if (query.rfind(kVersion, 0) != 0) {
      error = invalid("query", schema::in_quotes(query), "version=N");
      return;
    }
    query.remove_prefix(kVersion.size());
    version = parse_number<std::uint32_t>(query);
    if (!version) error = invalid("version", schema::in_quotes(query), "a number, 0 or more");
  }
};

bool DefinitionsApi::handle(const net::HttpRequest& request, const net::HttpReply& reply) const {
  const auto target = Target::of(request);
  if (!target) return false;
  const bool reads = request.method == "GET" || request.method == "HEAD";
  const bool one = !target->name.empty() && !target->versions;
  if (!reads && (!one || (request.method != "PUT" && request.method != "DELETE"))) {
    reply(method_not_allowed(request, one ? "GET, HEAD, PUT, DELETE" : "GET, HEAD"));
    return true;
  }
  if (target->error) {
    reply(refusal(*target->error));
    return true;
  }
  if (reads) {
    get(*target, reply);
    return true;
  }
  const auto who = context_.door.admit(request);
  if (const auto* error = std::get_if<CommandError>(&who)) {
    reply(refusal(*error));
    return true;
  }
  const Asker& asker = std::get<Asker>(who);
  const api::Role role = context_.people.role_anywhere(asker.grant);
  if (role < api::Role::kOperator) {
    reply(refusal(api::make_error(
        Code::kForbidden,
        "saving and deleting need the role operator or admin; send a token that gives it",
        "Authorization", api::role_name(role), "operator or admin")));
    return true;
  }
  if (auto error = context_.people.check_save(asker)) {
    reply(refusal(*std::move(error)));
    return true;
  }
  if (request.method == "PUT") {
    put(*target, asker, request, reply);
  } else {
    remove(*target, asker, reply);
  }
  return true;
}

void DefinitionsApi::get(const Target& target, const net::HttpReply& reply) const {
  const auto catalogue = saved_.catalogue();
  if (target.name.empty()) {
    v1::CatalogueList list;
    *list.mutable_entries() = target.kind == Kind::kStyle  ? catalogue->styles()
                              : target.kind == Kind::kBody ? catalogue->bodies()
                                                           : catalogue->gaits();
    return reply(json_response(200, list));
  }
  const auto entry = find_entry(*catalogue, target.kind, target.name);
  if (target.versions) {
    if (entry && entry->built_in()) {
      v1::CatalogueList list;
      *list.add_entries() = *entry;
      return reply(json_response(200, list));
    }
    return saved_.versions(target.kind, target.name, answer_with<v1::CatalogueList>(reply));
  }
  if (target.version && *target.version != 0) {
    if (entry && entry->built_in()) {
      return reply(
          refusal(api::make_error(Code::kNotFound,
                                  std::string("the ") + target.what() + " " + target.name +
                                      " is built in and has no versions",
                                  "version", std::to_string(*target.version), "0, or none")));
    }
    if (target.kind == Kind::kStyle) {
      return saved_.find_version(target.name, *target.version, answer_with<v1::StyleRecord>(reply));
    }
    if (target.kind == Kind::kGait) {
      return saved_.find_version(target.name, *target.version, answer_with<v1::GaitRecord>(reply));
    }
    return saved_.find_version(target.name, *target.version, answer_with<v1::BodyRecord>(reply));
  }
  const auto answer = [&](const auto& definition) {
    if (!definition) {
      return reply(refusal(api::make_error(
          Code::kNotFound, std::string("there is no ") + target.what() + " with that name", "name",
          schema::in_quotes(target.name),
          target.kind == Kind::kStyle  ? saved_.known_styles()
          : target.kind == Kind::kBody ? saved_.known_creatures()
                                       : saved_.known_gaits(""))));
    }
    auto record = record_of(*definition);
    if (entry) *record.mutable_info() = *entry;
    reply(json_response(200, record));
  };
  if (target.kind == Kind::kStyle) return answer(saved_.find_style(target.name));
  if (target.kind == Kind::kGait) return answer(saved_.find_gait(target.name));
  answer(saved_.find_creature(target.name));
}

SavedDefinitions::Reply<v1::CatalogueEntry> DefinitionsApi::answer_to_save(
    std::string_view verb, const Target& target, const Asker& asker,
    const net::HttpReply& reply) const {
  return [this, what = std::string(verb) + "_" + target.what(), asker, reply,
          name = target.name](std::variant<v1::CatalogueEntry, CommandError> result) {
    auto* error = std::get_if<CommandError>(&result);
    count_command(context_.metrics, what.c_str(), error);
    context_.audit.note(deed_of(asker, what.c_str(), context_.people.role_anywhere(asker.grant), "",
                                schema::in_quotes(name), error));
    if (error) return reply(refusal(std::move(*error)));
    v1::SaveReply answer;
    *answer.mutable_saved() = std::get<v1::CatalogueEntry>(result);
    reply(json_response(200, answer));
  };
}

void DefinitionsApi::put(const Target& target, const Asker& asker, const net::HttpRequest& request,
                         const net::HttpReply& reply) const {
  const auto answer = answer_to_save("save", target, asker, reply);
  const schema::Source request_body;
  schema::Checker check(request_body);
  if (!check.name("name", target.name)) return answer(api::request_error(check.error()));
  const auto entry = find_entry(*saved_.catalogue(), target.kind, target.name);
  if (entry && entry->built_in()) {
    return answer(api::make_error(
        Code::kConflict,
        std::string("a built-in ") + target.what() + " has that name; choose another name", "name",
        schema::in_quotes(target.name), "a name that is not built in"));
  }
  // Reads a definition of either kind. Its name is that of the address, or left out.
  const auto read = [&](auto* message) {
    if (const auto wrong = schema::message_from_json(request.body, message)) {
      answer(api::request_error(*wrong));
      return false;
    }
    if (!message->name().empty() && message->name() != target.name) {
      answer(invalid("name", schema::in_quotes(message->name()),
                     schema::in_quotes(target.name) + " as in the address, or none"));
      return false;
    }
    message->set_name(target.name);
    return true;
  };
  const auto save = [&](auto made) {
    if (auto* error = std::get_if<CommandError>(&made)) return answer(std::move(*error));
    if (auto error =
            context_.limits.take_save(asker.savers(), context_.people.role_anywhere(asker.grant),
                                      request.body.size(), !entry)) {
      return answer(*std::move(error));
    }
    saved_.save(*std::get<0>(made), target.version.value_or(0), answer);
  };
  if (target.kind == Kind::kStyle) {
    v1::Style message;
    if (read(&message)) save(world::define_style(message, ""));
    return;
  }
  if (target.kind == Kind::kGait) {
    v1::Gait message;
    if (read(&message)) save(defined_gait(message));
    return;
  }
  v1::Creature message;
  if (read(&message)) save(world::define_creature(message, saved_, ""));
}

std::variant<std::shared_ptr<const world::GaitDefinition>, CommandError>
DefinitionsApi::defined_gait(const v1::Gait& message) const {
  auto made = world::define_gait(message, "");
  const auto* gait = std::get_if<0>(&made);
  if (!gait) return made;
  const auto creature = saved_.find_creature(message.creature());
  if (!creature) {
    return world::refuse(Code::kNotFound, "creature", schema::in_quotes(message.creature()),
                         saved_.known_creatures());
  }
  const auto fitting = world::fit_gait(**gait, *creature->body, "");
  if (const auto* wrong = std::get_if<CommandError>(&fitting)) return *wrong;
  return made;
}

void DefinitionsApi::remove(const Target& target, const Asker& asker,
                            const net::HttpReply& reply) const {
  const auto answer = answer_to_save("delete", target, asker, reply);
  const auto entry = find_entry(*saved_.catalogue(), target.kind, target.name);
  if (entry && entry->built_in()) {
    return answer(
        api::make_error(Code::kConflict,
                        std::string("that ") + target.what() + " is built in and cannot be deleted",
                        "name", schema::in_quotes(target.name), "a saved one"));
  }
  saved_.remove(target.kind, target.name, target.version, answer);
}

net::HttpResponse DefinitionsApi::of_character(const RoomHost& room,
                                               const net::HttpRequest& request,
                                               std::string_view path) const {
  path.remove_prefix(std::string_view("characters/").size());
  const auto slash = path.find('/');
  const std::string_view number = path.substr(0, slash);
  const std::string_view what = slash == path.npos ? std::string_view() : path.substr(slash + 1);
  if (what != "style" && what != "body" && what != "gait" && what != "tasks") {
    return not_served(
        request, "characters/N/style, characters/N/body, characters/N/gait or characters/N/tasks");
  }
  const auto id = parse_number<world::CharacterId>(number);
  const auto publication = room.current();
  for (const world::RosterEntry& entry : publication->snapshot().roster->entries) {
    if (!id || entry.id != *id) continue;
    if (what == "tasks") return task_list(publication->snapshot(), entry.id);
    if (what == "style" && !entry.style_definition) {
      return refusal(api::make_error(
          Code::kNotFound, "the controller of this character has no style", "character",
          schema::in_quotes(number), "a character whose controller has a style: gbwc"));
    }
    const std::uint64_t tick = publication->snapshot().tick;
    if (what == "gait") return gait_of(entry, tick);
    if (what == "style") {
      v1::StyleRecord record = record_of(*entry.style_definition);
      record.set_id(entry.style_definition->id);
      record.set_tick(tick);
      return json_response(200, record);
    }
    v1::BodyRecord record = record_of(*entry.body_definition);
    record.set_id(entry.body_definition->id);
    record.set_tick(tick);
    return json_response(200, record);
  }
  return refusal(api::make_error(Code::kNotFound, "there is no such character", "character",
                                 schema::in_quotes(number), "the id of a character in the roster"));
}

}  // namespace promenade::service
