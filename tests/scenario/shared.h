#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "study/trial/rig/rollout.h"
#include "support/paths.h"
#include "world/library/library.h"

namespace promenade {

/// The bodies, styles, scenes and parameters that we ship, loaded once.
inline const std::shared_ptr<const Library>& shipped() {
  static const std::shared_ptr<const Library> library = [] {
    auto loaded = Library::load(test::data_dir());
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return std::move(loaded).value();
  }();
  return library;
}

inline trial::Walker human() { return trial::Walker::of(*shipped(), "human", "normal"); }

}  // namespace promenade
