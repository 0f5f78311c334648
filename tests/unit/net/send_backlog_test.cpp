#include "net/socket/send_backlog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace promenade::net {
namespace {

using std::chrono::milliseconds;

/// A line of so many bytes a second with a delay before each acknowledgement, on which states are
/// offered 30 times a second.
struct Line {
  double bytes_per_s;
  milliseconds round_trip;

  struct Result {
    int sent = 0;
    double longest_s = 0;  // from the state's offer until it is through, after the first second
  };
  Result run(std::size_t state_bytes, int seconds) const {
    SendBacklog backlog;
    Result result;
    std::uint64_t written = 0;
    double through = 0;                                          // bytes that the line has carried
    std::deque<std::pair<double, double>> acknowledged{{0, 0}};  // at what time how many
    std::deque<std::pair<std::uint64_t, double>> under_way;      // a state's last byte, its offer
    const double delay_s = std::chrono::duration<double>(round_trip).count();
    for (int ms = 0; ms < 1000 * seconds; ++ms) {
      const double now_s = 0.001 * ms;
      through = std::min(static_cast<double>(written), through + 0.001 * bytes_per_s);
      acknowledged.emplace_back(now_s + delay_s, through);
      while (acknowledged.size() > 1 && acknowledged[1].first <= now_s) acknowledged.pop_front();
      while (!under_way.empty() && static_cast<double>(under_way.front().first) <= through) {
        if (now_s > 2)
          result.longest_s = std::max(result.longest_s, now_s - under_way.front().second);
        under_way.pop_front();
      }
      if (ms % 33 != 0) continue;
      const auto heard = static_cast<std::uint64_t>(std::max(0.0, acknowledged.front().second));
      const auto now = Clock::time_point{} + std::chrono::hours(1) + milliseconds(ms);
      if (backlog.late(written, written - std::min(written, heard), round_trip, now)) continue;
      written += state_bytes;
      under_way.emplace_back(written, now_s);
      ++result.sent;
    }
    return result;
  }
};

TEST(SendBacklog, LetsAThinLineHaveOnlyWhatItCarries) {
  for (const milliseconds round_trip : {milliseconds(0), milliseconds(80)}) {
    const Line::Result result = Line{15'000, round_trip}.run(5'000, 20);
    EXPECT_GT(result.sent, 40) << "of 60 that the line can carry";
    EXPECT_LT(result.longest_s, 0.45) << "of which a state itself takes 0.33 s";
  }
}

TEST(SendBacklog, DoesNotTakeALongLineForAThinOne) {
  for (const int ms : {0, 20, 100, 300}) {
    const Line::Result result = Line{1e7, milliseconds(ms)}.run(5'000, 10);
    EXPECT_GT(result.sent, 260) << "of 304, round trip " << ms << " ms";
  }
}

}  // namespace
}  // namespace promenade::net
