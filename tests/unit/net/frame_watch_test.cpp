#include "net/socket/frame_watch.h"

#include <gtest/gtest.h>

#include <string>

namespace promenade::net {
namespace {

constexpr int kFinal = 0x80, kBinary = 2, kContinuation = 0, kClose = 8, kPing = 9;

std::string header(int first, std::uint64_t length) {
  std::string bytes(1, static_cast<char>(first));
  if (length < 126) {
    bytes += static_cast<char>(0x80 | length);
  } else {
    const int size = length < 65'536 ? 2 : 8;
    bytes += static_cast<char>(0x80 | (size == 2 ? 126 : 127));
    for (int i = size - 1; i >= 0; --i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
  }
  return bytes + std::string(4, 'm');
}

void feed(FrameWatch& watch, std::string bytes) { watch.feed(bytes); }

std::string frame(int first, std::size_t length) {
  return header(first, length) + std::string(length, 'x');
}

TEST(FrameWatch, CountsMessagesHoweverTheBytesCome) {
  const std::string bytes = frame(kFinal | kBinary, 0) + frame(kFinal | kBinary, 125) +
                            frame(kFinal | kBinary, 126) + frame(kFinal | kBinary, 65'536) +
                            frame(kBinary, 10) + frame(kFinal | kPing, 3) +
                            frame(kFinal | kContinuation, 10) + frame(kFinal | kPing, 0);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
    FrameWatch watch(100'000);
    for (std::size_t i = 0; i < bytes.size(); i += piece) feed(watch, bytes.substr(i, piece));
    EXPECT_EQ(watch.finished(), 6u) << "five messages, and a ping that is in none";
    EXPECT_EQ(watch.controls(), 2u);
    EXPECT_FALSE(watch.unfinished());
    EXPECT_FALSE(watch.oversized());
  }
}

TEST(FrameWatch, SeesAMessageThatIsTooLargeInItsHeader) {
  for (const std::uint64_t length :
       {std::uint64_t{1001}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    FrameWatch watch(1000);
    const std::string bytes = header(kFinal | kBinary, length);
    feed(watch, bytes.substr(0, bytes.size() - 1));
    EXPECT_FALSE(watch.oversized());
    feed(watch, bytes.substr(bytes.size() - 1));
    EXPECT_TRUE(watch.oversized());
  }
  FrameWatch in_pieces(1000);
  feed(in_pieces, frame(kBinary, 600) + frame(kFinal | kPing, 100));
  EXPECT_FALSE(in_pieces.oversized());
  feed(in_pieces, header(kFinal | kContinuation, 600));
  EXPECT_TRUE(in_pieces.oversized());
  FrameWatch just(1000);
  feed(just, frame(kFinal | kBinary, 1000) + frame(kFinal | kBinary, 1000));
  EXPECT_FALSE(just.oversized());
}

TEST(FrameWatch, KnowsWhatHasBegun) {
  FrameWatch watch(1000);
  feed(watch, header(kFinal | kBinary, 5).substr(0, 1));
  EXPECT_TRUE(watch.unfinished()) << "half a header";
  feed(watch, header(kFinal | kBinary, 5).substr(1) + "xxxx");
  EXPECT_TRUE(watch.unfinished()) << "a byte is missing";
  feed(watch, "x");
  EXPECT_FALSE(watch.unfinished());
  feed(watch, frame(kBinary, 0));
  EXPECT_TRUE(watch.unfinished()) << "more frames are to come";
  feed(watch, frame(kFinal | kPing, 0));
  EXPECT_TRUE(watch.unfinished()) << "a ping between them ends nothing";
}

// The code that Beast gets to see of a close with this code, with a payload in two pieces.
unsigned code_behind(unsigned code, std::size_t split) {
  FrameWatch watch(1000);
  std::string bytes = header(kFinal | kClose, 4);
  const std::size_t begin = bytes.size();
  for (const unsigned byte : {code >> 8, code & 0xff, unsigned{'h'}, unsigned{'i'}}) {
    bytes += static_cast<char>(byte ^ 'm');
  }
  std::string first = bytes.substr(0, begin + split), rest = bytes.substr(begin + split);
  watch.feed(first);
  watch.feed(rest);
  EXPECT_FALSE(watch.unfinished());
  const std::string seen = (first + rest).substr(begin);
  EXPECT_EQ(seen.substr(2), std::string({'h' ^ 'm', 'i' ^ 'm'}));
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(seen[i] ^ 'm'); };
  return static_cast<unsigned>(byte(0) << 8 | byte(1));
}

TEST(FrameWatch, LetsNoCloseCodePassThatNobodyMayUse) {
  for (std::size_t split = 0; split <= 4; ++split) {
    for (const unsigned code : {1000u, 1001u, 3000u, 4000u, 4863u, 999u, 0u, 2999u}) {
      EXPECT_EQ(code_behind(code, split), code) << "split at " << split;
    }
    for (const unsigned code : {4864u, 4999u}) {
      const unsigned seen = code_behind(code, split);
      EXPECT_EQ(seen, split == 1 ? 1000 : code) << "split at " << split;
    }
    for (const unsigned code : {5000u, 5119u, 5120u, 9999u, 32768u, 65535u}) {
      const unsigned seen = code_behind(code, split);
      EXPECT_TRUE(seen < 1000 || seen == 1005) << code << " becomes " << seen << " at " << split;
    }
  }
}

}  // namespace
}  // namespace promenade::net
