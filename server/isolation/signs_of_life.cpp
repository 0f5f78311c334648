#include "isolation/signs_of_life.h"

#include <algorithm>
#include <cstdio>

namespace promenade::isolation {
namespace {

constexpr double kStartTimeouts = 6;   // a start reads a journal: as many hang timeouts...
constexpr double kShortestStart = 60;  // s, ... and at least this

}  // namespace

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

std::string SignsOfLife::why_hung(bool ready, bool running, double owed, double limit) const {
  char text[64] = "";
  if (seconds_since(sign) > limit) {
    std::snprintf(text, sizeof text, "gave no sign of life for %.1f s", limit);
  } else if (!ready && seconds_since(born) > std::max(kShortestStart, kStartTimeouts * limit)) {
    std::snprintf(text, sizeof text, "did not start within %.0f s", seconds_since(born));
  } else if (ready && running && seconds_since(turn) > limit) {
    std::snprintf(text, sizeof text, "did not tick for %.1f s", limit);
  } else if (ready && running && owed > limit) {
    std::snprintf(text, sizeof text, "did not answer for %.1f s", limit);
  }
  return text;
}

}  // namespace promenade::isolation
