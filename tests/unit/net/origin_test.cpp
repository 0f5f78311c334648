#include "net/http/origin.h"

#include <gtest/gtest.h>

namespace promenade::net {
namespace {

TEST(OriginPolicy, LetsProgramsAndItsOwnPagesIn) {
  const OriginPolicy policy;
  EXPECT_TRUE(policy.allows("", "localhost:8080"));
  EXPECT_TRUE(policy.allows("http://localhost:8080", "localhost:8080"));
  EXPECT_TRUE(policy.allows("https://walk.example.org", "walk.example.org"));
  EXPECT_TRUE(policy.allows("http://LOCALHOST:8080", "localhost:8080"));
}

TEST(OriginPolicy, KeepsOthersOut) {
  const OriginPolicy policy;
  for (const char* origin :
       {"http://evil.example", "http://localhost:8081", "http://localhost:80800",
        "http://localhost", "http://localhost:8080.evil.example", "null", "localhost:8080",
        "file://localhost:8080", "http://evil.example/localhost:8080"}) {
    EXPECT_FALSE(policy.allows(origin, "localhost:8080")) << origin;
  }
  EXPECT_FALSE(policy.allows("http://localhost:8080", "")) << "no host to be the same as";
}

TEST(OriginPolicy, MatchesItsListExactly) {
  OriginPolicy policy;
  policy.allowed = {"https://show.example.org"};
  EXPECT_TRUE(policy.allows("https://show.example.org", "walk.example.org"));
  EXPECT_FALSE(policy.allows("http://show.example.org", "walk.example.org"));
  EXPECT_FALSE(policy.allows("https://show.example.org.evil", "walk.example.org"));
  EXPECT_FALSE(policy.allows("https://a.show.example.org", "walk.example.org"));
  policy.allowed = {"*"};
  EXPECT_TRUE(policy.allows("https://anything", "walk.example.org"));
}

TEST(OriginPolicy, GoesByTheSchemeWhereAProxyTellsIt) {
  const OriginPolicy policy;
  EXPECT_TRUE(policy.allows("https://walk.example.org", "walk.example.org", "https"));
  EXPECT_FALSE(policy.allows("http://walk.example.org", "walk.example.org", "https"));
}

using Verdict = HostPolicy::Verdict;

TEST(HostPolicy, OnLoopbackAnswersToLoopbackNamesOnly) {
  HostPolicy policy;
  policy.loopback_only = true;
  for (const char* host : {"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "[::1]",
                           "LocalHost:8080", "app.localhost:8080", "localhost.", ""}) {
    EXPECT_EQ(policy.judge(host), Verdict::kKnown) << host;
  }
  for (const char* host :
       {"evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost",
        "[::2]:80", "0.0.0.0", "192.0.2.1", ".localhost", "::1"}) {
    EXPECT_EQ(policy.judge(host), Verdict::kRefused) << host << ": rebound DNS";
  }
  policy.names = {"walk.example.org"};
  EXPECT_EQ(policy.judge("walk.example.org"), Verdict::kKnown) << "a proxy on this machine";
}

TEST(HostPolicy, BeyondLoopbackKnowsWhatCannotBeRebound) {
  HostPolicy policy;
  for (const char* host : {"192.0.2.7", "192.0.2.7:80", "[2001:db8::7]:80", "localhost:8080"}) {
    EXPECT_EQ(policy.judge(host), Verdict::kKnown) << host;
  }
  EXPECT_EQ(policy.judge("walk.example.org"), Verdict::kUnknown);
  policy.names = {"walk.example.org", "b"};
  EXPECT_EQ(policy.judge("WALK.example.org.:443"), Verdict::kKnown);
  EXPECT_EQ(policy.judge("b"), Verdict::kKnown);
  EXPECT_EQ(policy.judge("evil.example"), Verdict::kRefused);
  EXPECT_EQ(policy.judge("walk.example.org.evil.example"), Verdict::kRefused);
  EXPECT_EQ(policy.judge("192.0.2.7"), Verdict::kKnown);
}

}  // namespace
}  // namespace promenade::net
