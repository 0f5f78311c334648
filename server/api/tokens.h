#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/digest.h"
#include "api/roles.h"
#include "schema/error.h"

namespace promenade::api {

/// The rights that a token gives.
struct Grant {
  Role role = Role::kViewer;
  std::string name;  // of the token's holder, for people and the log; empty: not said
  std::string room;  // the only room it is for; empty: every room
  std::string key;   // stands for the token where it must not be told; empty: a guest, no token

  /// The request names the server by a host that nobody has said is its own: a page elsewhere may
  /// have renamed itself to this server, so that guests are at most viewers.
  bool unknown_host = false;
  bool invitation = false;  // several visitors may come with the token

  bool guest() const { return key.empty(); }
};

/// A token as it is kept: by its digest.
struct HashedToken {
  Role role = Role::kViewer;
  std::string salt;
  Digest digest{};
  std::string name, room;  // as in Grant
};

inline constexpr std::size_t kMinTokenLength = 8;  // characters; the most is kMaxTokenLength
inline constexpr std::size_t kMaxTokens = 1000;    // in a file

/// The salt of tokens that are given in plain text: random, the same as long as the program runs.
const std::string& process_salt();

HashedToken hash_token(std::string_view token, Role role, std::string_view salt,
                       std::string name = {}, std::string room = {});

/// "sha256:SALT:DIGEST", as a token file may have it instead of the token.
std::string hashed_text(const HashedToken& token);

/// The fault in a token in plain text; empty: none. Never repeats the token.
std::string token_fault(std::string_view token);

/// The lines of a token file: ROLE TOKEN-OR-HASH [NAME] [ROOM], parted by blanks; "-" for no NAME;
/// empty lines and those that begin with # are left out. An error names file and line and does not
/// repeat a token.
schema::Result<std::vector<HashedToken>> parse_token_file(std::string_view text,
                                                          const std::string& file);

/// Tokens and their rights. Never changed while others use it.
class Tokens {
 public:
  explicit Tokens(Role guest) : guest_(guest) {}

  /// A token in plain text; only its digest is kept.
  void add(std::string_view token, Role role);
  void add(HashedToken token);

  Role guest() const { return guest_; }
  const std::vector<HashedToken>& all() const { return tokens_; }

  /// @param token  empty: a guest
  /// @return nothing for an unknown token
  std::optional<Grant> find(std::string_view token) const;
  /// The rights of the token with that Grant::key; nothing if there is no such token any more.
  std::optional<Grant> of_key(std::string_view key) const;

 private:
  Role guest_;
  std::vector<HashedToken> tokens_;
};

}  // namespace promenade::api
