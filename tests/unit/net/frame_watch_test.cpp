#include "net/frame_watch.h"

#include <gtest/gtest.h>

#include <string>

namespace promenade::net {
namespace {

constexpr int kFinal = 0x80, kBinary = 2, kContinuation = 0, kPing = 9;

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
    for (std::size_t i = 0; i < bytes.size(); i += piece) watch.feed(bytes.substr(i, piece));
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
    watch.feed(bytes.substr(0, bytes.size() - 1));
    EXPECT_FALSE(watch.oversized());
    watch.feed(bytes.substr(bytes.size() - 1));
    EXPECT_TRUE(watch.oversized());
  }
  FrameWatch in_pieces(1000);
  in_pieces.feed(frame(kBinary, 600) + frame(kFinal | kPing, 100));
  EXPECT_FALSE(in_pieces.oversized());
  in_pieces.feed(header(kFinal | kContinuation, 600));
  EXPECT_TRUE(in_pieces.oversized());
  FrameWatch just(1000);
  just.feed(frame(kFinal | kBinary, 1000) + frame(kFinal | kBinary, 1000));
  EXPECT_FALSE(just.oversized());
}

TEST(FrameWatch, KnowsWhatHasBegun) {
  FrameWatch watch(1000);
  watch.feed(header(kFinal | kBinary, 5).substr(0, 1));
  EXPECT_TRUE(watch.unfinished()) << "half a header";
  watch.feed(header(kFinal | kBinary, 5).substr(1) + "xxxx");
  EXPECT_TRUE(watch.unfinished()) << "a byte is missing";
  watch.feed("x");
  EXPECT_FALSE(watch.unfinished());
  watch.feed(frame(kBinary, 0));
  EXPECT_TRUE(watch.unfinished()) << "more frames are to come";
  watch.feed(frame(kFinal | kPing, 0));
  EXPECT_TRUE(watch.unfinished()) << "a ping between them ends nothing";
}

}  // namespace
}  // namespace promenade::net
