#include "control/gbwc/walk_state.h"

#include <algorithm>

namespace promenade::control::gbwc {

double TakenOver::left(double at_phase) const {
  const double over = std::clamp((at_phase - phase) / (1 - phase), 0.0, 1.0);
  return 1 - over * over * (3 - 2 * over);
}

}  // namespace promenade::control::gbwc
