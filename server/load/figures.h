#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace promenade::load {

/// Counts values in bins that are 2 % wide, from 0.01 to 10^6, so that the memory of a run does not
/// grow with its length.
class Histogram {
 public:
  void add(double value);
  std::uint64_t count() const { return count_; }
  double greatest() const { return greatest_; }
  /// The upper edge of the bin that holds the value below which `percent` (0 to 100) of all lie;
  /// 0 if there are none.
  double percentile(double percent) const;

 private:
  static constexpr int kBins = 931;  // 1.02^930 = 10^8
  std::array<std::uint64_t, kBins> counts_{};
  std::uint64_t count_ = 0;
  double greatest_ = 0;
};

/// The end of the connection of a viewer that has stayed as long as it was to.
inline constexpr const char* kLeftByItself = "left by itself";

/// How clients of one kind fared. Counts are of the measured time, but for `ends` and
/// `refused`.
struct KindFigures {
  int asked = 0;
  int connected = 0;        // now
  int least_connected = 0;  // at any moment of the measured time
  std::uint64_t frames = 0, bytes = 0, dropped = 0, attacks = 0;
  Histogram gap_ms;                            // between two frames of a viewer
  Histogram delay_ms;                          // from the making of a frame to its arrival
  std::vector<double> frames_per_s;            // of each viewer
  std::map<std::string, std::uint64_t> ends;   // of connections, by what ended them
  std::map<std::string, std::uint64_t> tried;  // attacks, by name
};

struct Figures {
  KindFigures honest, slow, dead, hostile;
  double seconds = 0;  // measured
  double own_cpu = 0;  // of one core, that the clients themselves took
};

}  // namespace promenade::load
