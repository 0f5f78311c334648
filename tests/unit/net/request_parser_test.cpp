#include "net/http/request_parser.h"

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>

namespace promenade::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

struct Outcome {
  int status = 0;  // 200: taken; 0: Beast itself refuses it
  std::string field, target, host, body;
};

Outcome parse(const std::string& text) {
  RequestParser parser;
  parser.eager(true);
  boost::beast::error_code error;
  std::size_t used = 0;
  while (!error && !parser.is_done() && used < text.size()) {
    used += parser.put(asio::buffer(text.data() + used, text.size() - used), error);
  }
  if (const auto& fault = parser.fault()) return {fault->status, fault->refusal.field, "", "", ""};
  if (error) return {};
  const auto& request = parser.get();
  return {200, "", std::string(request.target()), std::string(request[http::field::host]),
          request.body()};
}

std::string post(const std::string& fields, const std::string& body = "") {
  return "POST /x HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n" + body;
}

TEST(RequestParser, ReadsBodiesOfBothKinds) {
  EXPECT_EQ(parse(post("Content-Length: 2\r\n", "{}")).body, "{}");
  const Outcome chunked = parse(post("Transfer-Encoding: chunked\r\n",
                                     "1\r\n{\r\n1\r\n}\r\n0\r\nHost: evil.example\r\n\r\n"));
  EXPECT_EQ(chunked.body, "{}");
  EXPECT_EQ(chunked.host, "localhost") << "fields after the body count for nothing";
  EXPECT_EQ(parse(post("transfer-encoding:\tCHUNKED \r\n", "0\r\n\r\n")).status, 200);
}

TEST(RequestParser, RefusesBodiesOfADoubtfulLength) {
  for (const char* coding :
       {"xchunked", "identity", "chunked, identity", "identity, chunked", "chunked, chunked",
        "gzip, chunked", "chunked;q=1", "\"chunked\"", ""}) {
    const Outcome outcome = parse(post(std::string("Transfer-Encoding: ") + coding + "\r\n"));
    EXPECT_EQ(outcome.status, 501) << coding;
    EXPECT_EQ(outcome.field, "Transfer-Encoding") << coding;
  }
  EXPECT_EQ(parse(post("Transfer-Encoding: x\r\nContent-Length: 2\r\n", "{}")).status, 400);
  EXPECT_NE(parse(post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n")).status, 200);
  EXPECT_NE(parse(post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n")).status, 200);
  EXPECT_NE(parse(post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")).status,
            200);
  EXPECT_EQ(parse(post("Content-Length: 2\r\nContent-Length: 2\r\n", "{}")).field,
            "Content-Length");
  EXPECT_EQ(parse(post("Content-Length: 2, 2\r\n", "{}")).field, "Content-Length");
  for (const char* length :
       {"2\r\nContent-Length: 3", "-1", "+2", "0x2", "2 2", "", "99999999999999999999"}) {
    EXPECT_NE(parse(post(std::string("Content-Length: ") + length + "\r\n", "{}")).status, 200)
        << length;
  }
  EXPECT_EQ(parse("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n").status, 400);
}

TEST(RequestParser, RefusesLinesThatServersReadInTwoWays) {
  EXPECT_EQ(parse(post("X: a\r\n b\r\n")).field, "X") << "folded";
  EXPECT_EQ(parse(post("X:\r\n\tb\r\n")).field, "X") << "folded, the first line empty";
  EXPECT_EQ(parse(post("X: a\r\n\r\n")).status, 200);
  EXPECT_EQ(parse(post("X:\r\n")).status, 200) << "empty, but not folded";
  for (const char* field : {"X : a\r\n", "X: a\nY: b\r\n", "X: a\rY: b\r\n", " X: a\r\n", ": a\r\n",
                            "X\r\n", "X: a\tb\x01\r\n"}) {
    EXPECT_NE(parse(post(field)).status, 200) << field;
  }
}

TEST(RequestParser, WantsOneHost) {
  EXPECT_EQ(parse("GET / HTTP/1.1\r\n\r\n").field, "Host");
  EXPECT_EQ(parse("GET / HTTP/1.1\r\nHost:\r\n\r\n").field, "Host");
  EXPECT_EQ(parse("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n").status, 400);
  EXPECT_EQ(parse("GET / HTTP/1.0\r\n\r\n").status, 200) << "older than the field";
  for (const char* host :
       {"a b", "a/b", "user@a", "a:b", "a:1:2", "[::1", "[localhost]", "::1", ":80"}) {
    EXPECT_EQ(parse(std::string("GET / HTTP/1.1\r\nHost: ") + host + "\r\n\r\n").field, "Host")
        << host;
  }
}

TEST(RequestParser, RefusesASecondOriginOrAuthorization) {
  EXPECT_EQ(parse(post("Origin: http://a\r\nOrigin: http://b\r\n")).field, "Origin");
  EXPECT_EQ(parse(post("Authorization: a\r\nauthorization: b\r\n")).status, 400);
}

TEST(RequestParser, TakesTheHostFromATargetInAbsoluteForm) {
  const Outcome whole = parse("GET http://a.example:80/b?c HTTP/1.1\r\nHost: other\r\n\r\n");
  EXPECT_EQ(whole.host, "a.example:80");
  EXPECT_EQ(whole.target, "/b?c");
  EXPECT_EQ(parse("GET HTTP://a HTTP/1.1\r\nHost: a\r\n\r\n").target, "/");
  EXPECT_EQ(parse("GET http://u:p@a/ HTTP/1.1\r\nHost: a\r\n\r\n").field, "path");
  EXPECT_EQ(parse("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n").field, "path");
}

TEST(HttpDate, HasTheFormOfTheStandard) {
  EXPECT_EQ(http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
}

}  // namespace
}  // namespace promenade::net
