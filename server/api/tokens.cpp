#include "api/tokens.h"

#include <algorithm>
#include <map>

#include "api/decode.h"
#include "schema/refusal.h"
#include "schema/shown_text.h"

namespace promenade::api {
namespace {

constexpr std::string_view kHashed = "sha256:";
constexpr std::size_t kMaxHolderName = 60;

std::string key_of(const HashedToken& token) { return hex_of(token.digest, 6); }

Grant grant_of(const HashedToken& token) {
  return {token.role, token.name, token.room, key_of(token), false};
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view kBlank = " \t\r";
  for (std::size_t at = 0;;) {
    at = line.find_first_not_of(kBlank, at);
    if (at == line.npos) return words;
    const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
}

bool is_salt(std::string_view text) {
  return !text.empty() && text.size() <= 64 &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_room(std::string_view text) {
  return text.size() <= kMaxRoomLength &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == text.npos;
}

struct Fault {
  std::string key, value, allowed;
};

std::variant<HashedToken, Fault> read_line(const std::vector<std::string_view>& words) {
  if (words.size() < 2 || words.size() > 4) {
    return Fault{"line", std::to_string(words.size()) + " words",
                 "ROLE TOKEN-OR-HASH [NAME] [ROOM]"};
  }
  const auto role = parse_role(words[0]);
  if (!role) return Fault{"role", schema::in_quotes(words[0]), "one of " + role_names()};
  const std::string name(words.size() > 2 && words[2] != "-" ? words[2] : std::string_view());
  if (const auto fault = schema::text_fault(name, kMaxHolderName, "name")) {
    return Fault{"name", fault->value, fault->allowed};
  }
  const std::string room(words.size() > 3 ? words[3] : std::string_view());
  if (!is_room(room)) {
    return Fault{"room", schema::in_quotes(room), "1 to 40 of a-z 0-9 _ -"};
  }
  std::string_view token = words[1];
  if (token.substr(0, kHashed.size()) == kHashed) {
    token.remove_prefix(kHashed.size());
    const auto colon = token.find(':');
    const auto digest =
        colon == token.npos ? std::nullopt : digest_from_hex(token.substr(colon + 1));
    if (!digest || !is_salt(token.substr(0, colon))) {
      return Fault{"hash", "an incomplete hash",
                   "sha256:SALT:DIGEST as `promenade token new` prints it, the digest of 64 "
                   "hexadecimal digits"};
    }
    return HashedToken{*role, std::string(token.substr(0, colon)), *digest, name, room};
  }
  if (const std::string fault = token_fault(token); !fault.empty()) {
    return Fault{
        "token", fault,
        std::to_string(kMinTokenLength) + " to " + std::to_string(kMaxTokenLength) + " characters"};
  }
  return hash_token(token, *role, process_salt(), name, room);
}

}  // namespace

const std::string& process_salt() {
  static const std::string salt = random_hex(16);
  return salt;
}

HashedToken hash_token(std::string_view token, Role role, std::string_view salt, std::string name,
                       std::string room) {
  return {role, std::string(salt), digest_of(salt, token), std::move(name), std::move(room)};
}

std::string hashed_text(const HashedToken& token) {
  return std::string(kHashed) + token.salt + ":" + hex_of(token.digest);
}

std::string token_fault(std::string_view token) {
  if (token.size() >= kMinTokenLength && token.size() <= kMaxTokenLength) return "";
  return std::to_string(token.size()) + " characters";
}

schema::Result<std::vector<HashedToken>> parse_token_file(std::string_view text,
                                                          const std::string& file) {
  std::vector<HashedToken> tokens;
  std::map<Digest, int> seen;  // line of each, of the same salt
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (words.empty() || words[0].front() == '#') continue;
    schema::FileError error;
    error.file = file;
    error.line = number;
    auto read = read_line(words);
    if (auto* fault = std::get_if<Fault>(&read)) {
      error.key = fault->key;
      error.value = fault->value;
      error.allowed = fault->allowed;
      return error;
    }
    auto& token = std::get<HashedToken>(read);
    if (const auto [first, fresh] = seen.emplace(token.digest, number); !fresh) {
      error.key = "token";
      error.value = "the token of line " + std::to_string(first->second);
      error.allowed = "a token that is not in the file already";
      return error;
    }
    if (tokens.size() == kMaxTokens) {
      error.key = "line";
      error.value = "more than " + std::to_string(kMaxTokens);
      error.allowed = "at most " + std::to_string(kMaxTokens) + " tokens";
      return error;
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

void Tokens::add(std::string_view token, Role role) {
  add(hash_token(token, role, process_salt()));
}

void Tokens::add(HashedToken token) {
  std::erase_if(tokens_, [&token](const HashedToken& one) {
    return one.salt == token.salt && one.digest == token.digest;
  });
  tokens_.push_back(std::move(token));
}

std::optional<Grant> Tokens::find(std::string_view token) const {
  if (token.empty()) return Grant{guest_, "", "", "", false};
  // Every digest is compared, and each in the same time: neither the time taken nor how far the
  // search went tells anything about a guess. Tokens of one file share a salt, so that a guess is
  // hashed about once.
  std::map<std::string_view, Digest> guesses;
  const HashedToken* found = nullptr;
  for (const HashedToken& known : tokens_) {
    auto guess = guesses.find(known.salt);
    if (guess == guesses.end()) {
      guess = guesses.emplace(known.salt, digest_of(known.salt, token)).first;
    }
    if (equal_digests(known.digest, guess->second)) found = &known;
  }
  return found ? std::optional(grant_of(*found)) : std::nullopt;
}

std::optional<Grant> Tokens::of_key(std::string_view key) const {
  for (const HashedToken& known : tokens_) {
    if (key_of(known) == key) return grant_of(known);
  }
  return std::nullopt;
}

}  // namespace promenade::api
