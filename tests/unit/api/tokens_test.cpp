#include "api/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace promenade::api {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::optional<Role> role_of(const Tokens& tokens, std::string_view token) {
  const auto grant = tokens.find(token);
  return grant ? std::optional(grant->role) : std::nullopt;
}

// The expected digest is that of coreutils: printf 'ab\\0abc' | sha256sum
TEST(Digest, IsSha256OfSaltZeroAndText) {
  EXPECT_EQ(hex_of(digest_of("ab", "abc")),
            "65520b98fb9d8f2940efa6d8c12ba2fb58a5b0dd2772bb3aedb37f988b809dee");
  EXPECT_EQ(digest_from_hex(hex_of(digest_of("", "x"))), digest_of("", "x"));
  EXPECT_FALSE(digest_from_hex("12"));
  EXPECT_FALSE(digest_from_hex(std::string(64, 'g')));
}

TEST(Digest, OfAnotherTextOrSaltIsAnother) {
  EXPECT_TRUE(equal_digests(digest_of("a", "b"), digest_of("a", "b")));
  EXPECT_FALSE(equal_digests(digest_of("a", "b"), digest_of("a", "c")));
  EXPECT_FALSE(equal_digests(digest_of("a", "b"), digest_of("ab", "")));
}

TEST(RandomHex, DoesNotRepeat) {
  EXPECT_EQ(random_hex(16).size(), 32u);
  EXPECT_NE(random_hex(16), random_hex(16));
}

TEST(Tokens, GiveTheirRoleWholeOrNotAtAll) {
  Tokens tokens(Role::kViewer);
  tokens.add("open-sesame", Role::kAdmin);
  EXPECT_EQ(role_of(tokens, "open-sesame"), Role::kAdmin);
  EXPECT_EQ(role_of(tokens, ""), Role::kViewer);
  for (const char* wrong : {"open-sesam", "open-sesame!", "open-sesameopen-sesame", "x"}) {
    EXPECT_EQ(role_of(tokens, wrong), std::nullopt) << wrong;
  }
}

TEST(Tokens, AreKnownByTheirKeyWithoutBeingTold) {
  Tokens tokens(Role::kViewer);
  tokens.add("open-sesame", Role::kOperator);
  const auto grant = tokens.find("open-sesame");
  ASSERT_TRUE(grant);
  EXPECT_THAT(grant->key, Not(HasSubstr("sesame")));
  EXPECT_EQ(tokens.of_key(grant->key)->role, Role::kOperator);
  EXPECT_FALSE(tokens.of_key("123456789abc"));
  EXPECT_FALSE(Tokens(Role::kViewer).of_key(grant->key));
}

TEST(TokenFile, HasPlainAndHashedTokens) {
  const HashedToken hashed = hash_token("a-secret-token", Role::kAdmin, "5a17");
  const auto read = parse_token_file("# comment\n\nplayer plain-token Ada lab\nadmin " +
                                         hashed_text(hashed) + "\r\nviewer other-token -\n",
                                     "tokens");
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->size(), 3u);
  Tokens tokens(Role::kViewer);
  for (const HashedToken& token : *read) tokens.add(token);
  EXPECT_EQ(tokens.find("plain-token")->room, "lab");
  EXPECT_EQ(tokens.find("plain-token")->name, "Ada");
  EXPECT_EQ(role_of(tokens, "a-secret-token"), Role::kAdmin);
  EXPECT_EQ(tokens.find("other-token")->name, "");
}

TEST(TokenFile, MistakesNameFileAndLineAndNoToken) {
  for (const auto& [text, line, key] : std::vector<std::tuple<std::string, int, std::string>>{
           {"admin", 1, "line"},
           {"\nking a-secret-token", 2, "role"},
           {"admin short", 1, "token"},
           {"admin a-secret-token name Room!", 1, "room"},
           {"admin sha256:5a17", 1, "hash"},
           {"admin sha256:5a17:" + std::string(63, '0'), 1, "hash"},
           {"admin a-secret-token\nviewer a-secret-token", 2, "token"}}) {
    const auto read = parse_token_file(text, "tokens");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().line, line) << text;
    EXPECT_EQ(read.error().key, key) << text;
    EXPECT_THAT(read.error().text(), HasSubstr("tokens:" + std::to_string(line)));
    EXPECT_THAT(read.error().text(), Not(HasSubstr("a-secret-token")));
  }
}

}  // namespace
}  // namespace promenade::api
