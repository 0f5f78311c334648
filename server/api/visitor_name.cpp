#include "api/visitor_name.h"

#include <array>
#include <cstdint>

#include "api/decode.h"
#include "math/hash.h"
#include "schema/refusal.h"
#include "schema/shown_text.h"

namespace promenade::api {
namespace {

constexpr std::array<const char*, 64> kHow = {
    "Able",   "Airy",   "Bold",    "Brave",   "Bright", "Brisk",  "Calm",   "Careful",
    "Cheery", "Clever", "Cosy",    "Curious", "Daring", "Eager",  "Early",  "Easy",
    "Fair",   "Famous", "Fancy",   "Fleet",   "Fond",   "Free",   "Fresh",  "Gentle",
    "Glad",   "Grand",  "Happy",   "Hardy",   "Honest", "Jolly",  "Keen",   "Kind",
    "Lively", "Loyal",  "Lucky",   "Mellow",  "Merry",  "Mighty", "Mild",   "Neat",
    "Nimble", "Noble",  "Patient", "Plucky",  "Polite", "Proud",  "Quick",  "Quiet",
    "Ready",  "Shy",    "Smart",   "Smooth",  "Snug",   "Spry",   "Steady", "Sunny",
    "Swift",  "Tidy",   "Trusty",  "Upbeat",  "Warm",   "Wise",   "Witty",  "Zesty"};
constexpr std::array<const char*, 64> kWho = {
    "Alpaca",  "Badger",  "Bear",   "Beaver",  "Bison",   "Bunny",  "Camel",   "Cat",
    "Cheetah", "Condor",  "Coyote", "Crane",   "Deer",    "Dingo",  "Dolphin", "Dove",
    "Eagle",   "Egret",   "Falcon", "Ferret",  "Finch",   "Fox",    "Gazelle", "Gecko",
    "Gibbon",  "Giraffe", "Goose",  "Hare",    "Hawk",    "Heron",  "Ibex",    "Jackdaw",
    "Jaguar",  "Koala",   "Lark",   "Lemur",   "Leopard", "Lion",   "Llama",   "Lynx",
    "Magpie",  "Marmot",  "Marten", "Mole",    "Moose",   "Newt",   "Ocelot",  "Osprey",
    "Otter",   "Owl",     "Panda",  "Pelican", "Puffin",  "Quail",  "Rabbit",  "Raven",
    "Robin",   "Seal",    "Stork",  "Swan",    "Tiger",   "Turtle", "Wombat",  "Zebra"};

}  // namespace

std::optional<world::CommandError> check_visitor_name(const char* field, std::string_view name) {
  using Code = world::CommandError::Code;
  if (const auto fault = schema::text_fault(name, kMaxVisitorNameLength, "name")) {
    return world::refuse(Code::kInvalid, field, fault->value, fault->allowed);
  }
  const auto is = [name](std::size_t at, char low) { return (name[at] | 0x20) == low; };
  if (name.size() == 3 && is(0, 'y') && is(1, 'o') && is(2, 'u')) {
    return world::refuse(Code::kInvalid, field, schema::in_quotes(name),
                         "any other name: pages call their own visitor so");
  }
  return std::nullopt;
}

std::string made_up_name(std::string_view visitor, unsigned turn) {
  Hash hash;
  hash.add(visitor);
  hash.add(std::uint64_t{turn});
  const std::uint64_t value = hash.value();
  return std::string(kHow[value % kHow.size()]) + " " + kWho[(value >> 32) % kWho.size()];
}

}  // namespace promenade::api
