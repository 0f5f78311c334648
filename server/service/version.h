#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "net/types.h"
#include "stream/parts.h"

namespace promenade::service {

/// A message as it is sent to viewers, by itself or in Parts; shared by all who get it.
using Parts = std::shared_ptr<const std::vector<net::Bytes>>;

inline Parts make_parts(std::string message) {
  auto out = std::make_shared<std::vector<net::Bytes>>();
  for (std::string& part : stream::in_parts(std::move(message))) {
    out->push_back(net::make_bytes(std::move(part)));
  }
  return out;
}

/// One version of what viewers are told of as a whole and then by changes: the roster, the
/// catalogue. Each message is encoded once, when the first viewer needs it. Any thread.
template <typename Value>
class Version {
 public:
  using EncodeWhole = std::string (*)(const Value&);
  using EncodeChange = std::string (*)(const Value& before, const Value& after);

  /// @param number  grows from version to version
  Version(std::uint64_t number, std::shared_ptr<const Value> value, EncodeWhole encode_whole,
          EncodeChange encode_change)
      : number_(number),
        value_(std::move(value)),
        encode_whole_(encode_whole),
        encode_change_(encode_change) {}

  std::uint64_t number() const { return number_; }
  const Value& value() const { return *value_; }
  const std::shared_ptr<const Value>& shared() const { return value_; }

  Parts whole() const {
    const std::lock_guard lock(mutex_);
    if (!whole_) whole_ = make_parts(encode_whole_(*value_));
    return whole_;
  }
  /// @param before  what the viewer has now
  Parts change_from(const Version& before) const {
    const std::lock_guard lock(mutex_);
    Parts& change = changes_[before.number_];
    if (!change) change = make_parts(encode_change_(*before.value_, *value_));
    return change;
  }

 private:
  const std::uint64_t number_;
  const std::shared_ptr<const Value> value_;
  const EncodeWhole encode_whole_;
  const EncodeChange encode_change_;
  mutable std::mutex mutex_;
  mutable Parts whole_;
  mutable std::map<std::uint64_t, Parts> changes_;  // by the version that they are from
};

}  // namespace promenade::service
