#include "net/http/proxies.h"

#include <gtest/gtest.h>

#include "net/limits/visitor.h"

namespace promenade::net {
namespace {

boost::asio::ip::address ip(const char* text) { return boost::asio::ip::make_address(text); }

std::string visitor(const TrustedProxies& proxies, const ForwardedHeaders& headers) {
  const auto found = proxies.read(headers).visitor;
  return found ? found->to_string() : "none";
}

TEST(TrustedProxies, KnowAddressesAndNetworks) {
  TrustedProxies proxies;
  EXPECT_TRUE(proxies.add("192.0.2.1"));
  EXPECT_TRUE(proxies.add("10.0.0.0/9"));
  EXPECT_TRUE(proxies.add("fd00::/8"));
  for (const char* text : {"", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8x", "example.org",
                           "fd00::/129", "10.0.0.0/-1"}) {
    EXPECT_FALSE(proxies.add(text)) << text;
  }
  for (const char* in : {"192.0.2.1", "::ffff:192.0.2.1", "10.127.255.255", "fd12::1"}) {
    EXPECT_TRUE(proxies.contains(ip(in))) << in;
  }
  for (const char* out : {"192.0.2.2", "10.128.0.0", "fe00::1", "::1"}) {
    EXPECT_FALSE(proxies.contains(ip(out))) << out;
  }
}

TEST(TrustedProxies, SayBelowWhichPathTheServerIsSeen) {
  const TrustedProxies proxies;
  const auto path = [&](const char* prefix) {
    return proxies.read({"203.0.113.7", "", "", "", prefix}).base_path;
  };
  EXPECT_EQ(path("/sim/a/"), "/sim/a");
  EXPECT_EQ(path("/other, /sim/a"), "/sim/a") << "what the nearest proxy says";
  EXPECT_EQ(path("/"), "");
  for (const char* none : {"", "sim", "//evil.example", "/<b>"})
    EXPECT_EQ(path(none), std::nullopt);
}

TEST(TrustedProxies, FindTheLastHopThatIsNoProxy) {
  TrustedProxies proxies;
  proxies.add("10.0.0.0/8");
  EXPECT_EQ(visitor(proxies, {"203.0.113.7", "", "", ""}), "203.0.113.7");
  EXPECT_EQ(visitor(proxies, {"1.1.1.1, 203.0.113.7, 10.0.0.2", "", "", ""}), "203.0.113.7")
      << "what stands before it may be made up";
  EXPECT_EQ(visitor(proxies, {"10.0.0.3, 10.0.0.2", "", "", ""}), "10.0.0.3");
  EXPECT_EQ(visitor(proxies, {"[2001:db8::7]:443", "", "", ""}), "2001:db8::7");
  EXPECT_EQ(visitor(proxies, {"203.0.113.7:5555", "", "", ""}), "203.0.113.7");
  EXPECT_EQ(visitor(proxies, {"", "", "", ""}), "none");
  EXPECT_EQ(visitor(proxies, {"1.1.1.1, nonsense", "", "", ""}), "none");
  EXPECT_EQ(visitor(proxies, {"", "", "", "for=1.1.1.1, for=\"[2001:db8::7]:4711\";host=a"}),
            "2001:db8::7");
  EXPECT_EQ(visitor(proxies, {"203.0.113.7", "", "", "for=1.1.1.1"}), "203.0.113.7");
}

TEST(TrustedProxies, TellHostAndSchemeOfTheNearestOne) {
  const TrustedProxies proxies;
  const Forwarded listed = proxies.read({"", "made-up, walk.example.org", "http, https", ""});
  EXPECT_EQ(listed.host, "walk.example.org");
  EXPECT_EQ(listed.scheme, "https");
  const Forwarded standard = proxies.read({"", "", "", "for=1.1.1.1;Host=a:80 ; proto=\"https\""});
  EXPECT_EQ(standard.host, "a:80");
  EXPECT_EQ(standard.scheme, "https");
}

TEST(Visitor, CountsTheNetworkOfAnIpv6Address) {
  EXPECT_EQ(visitor_of(ip("203.0.113.7")).key, "203.0.113.7");
  EXPECT_EQ(visitor_of(ip("::ffff:203.0.113.7")).key, "203.0.113.7");
  EXPECT_EQ(visitor_of(ip("2001:db8::1")).key, visitor_of(ip("2001:db8::ffff:1:2")).key);
  EXPECT_NE(visitor_of(ip("2001:db8::1")).key, visitor_of(ip("2001:db8:0:1::1")).key);
  EXPECT_EQ(visitor_of(ip("2001:db8::1")).address, "2001:db8::1");
  for (const char* own : {"127.0.0.1", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(visitor_of(ip(own)).exempt) << own;
  }
  EXPECT_FALSE(visitor_of(ip("203.0.113.7")).exempt);
}

}  // namespace
}  // namespace promenade::net
