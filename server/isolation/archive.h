#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "math/types.h"

namespace promenade::isolation {

/// Appends values to bytes, or reads them back, in the same program's memory layout: both ends of
/// the wire are one executable on one machine. One function per type serves both directions, so
/// that what is written is what is read. Numbers need not be finite.
class Archive {
 public:
  static Archive writer(std::string& out) { return Archive(&out, {}); }
  static Archive reader(std::string_view in) { return Archive(nullptr, in); }

  bool reading() const { return !out_; }
  /// Whether reading has not gone past the end nor found a length that cannot be.
  bool good() const { return good_; }
  std::size_t left() const { return in_.size(); }

  template <typename... Values>
  void operator()(Values&... values) {
    (one(values), ...);
  }
  /// A list whose elements are exchanged one by one.
  template <typename List, typename Each>
  void list(List& values, Each&& each) {
    length(values);
    for (auto& value : values) each(value);
  }

 private:
  Archive(std::string* out, std::string_view in) : out_(out), in_(in) {}

  void bytes(void* data, std::size_t count);

  /// Every element takes a byte at least, so that no length makes more than the bytes that came.
  template <typename List>
  void length(List& values) {
    std::uint64_t count = values.size();
    one(count);
    if (!reading()) return;
    if (count > in_.size()) {
      good_ = false;
      in_ = {};
      count = 0;
    }
    values.resize(static_cast<std::size_t>(count));
  }

  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void one(T& value) {
    bytes(&value, sizeof value);
  }
  void one(bool& value) {
    std::uint8_t byte = value;
    bytes(&byte, 1);
    value = byte != 0;
  }
  template <int kRows>
  void one(Eigen::Matrix<double, kRows, 1>& vector) {
    bytes(vector.data(), kRows * sizeof(double));
  }
  void one(Quat& rotation) { bytes(rotation.coeffs().data(), 4 * sizeof(double)); }
  void one(Pose& pose) {
    one(pose.position);
    one(pose.rotation);
  }
  template <typename T, std::size_t kCount>
  void one(std::array<T, kCount>& values) {
    for (T& value : values) one(value);
  }
  void one(std::string& text) {
    length(text);
    bytes(text.data(), text.size());
  }
  /// A type that names its members for both directions.
  template <typename T>
  requires requires(T& value, Archive& archive) { value.exchange(archive); }
  void one(T& value) { value.exchange(*this); }
  template <typename T>
  void one(std::vector<T>& values) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      length(values);
      if (reading() && values.size() * sizeof(T) > in_.size()) values.clear(), good_ = false;
      bytes(values.data(), values.size() * sizeof(T));
    } else {
      length(values);
      for (auto& value : values) one(value);
    }
  }
  void one(std::vector<bool>& values) {
    length(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      bool value = values[i];
      one(value);
      values[i] = value;
    }
  }

  std::string* out_;
  std::string_view in_;
  bool good_ = true;
};

}  // namespace promenade::isolation
