#include "creature/dress/dress_edit.h"

#include <cmath>

namespace promenade {

void scale_ornament(v1::Ornament* ornament, const Vec3& factors) {
  for (auto* point : {ornament->mutable_from_m(), ornament->mutable_to_m()}) {
    for (int i = 0; i < point->size(); ++i) point->Set(i, point->Get(i) * factors[i]);
  }
  const double thicker = std::cbrt(factors.prod());
  ornament->set_radius_m(ornament->radius_m() * thicker);
  ornament->set_tip_m(ornament->tip_m() * thicker);
}

}  // namespace promenade
