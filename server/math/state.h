#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "math/hash.h"
#include "math/types.h"

namespace promenade {

/// Goes through everything in an object that decides its future, in a fixed order: appends it to a
/// buffer, fills the object from one, or hashes it. An object has one function,
/// `void visit(StateVisitor& state)`, for all three, so that what is saved is what is restored and
/// what the hash covers.
///
/// Reading does not trust the buffer: a number that is missing, not finite or out of range stops
/// it. The object is then partly filled and must not be used.
class StateVisitor {
 public:
  /// Words of 64 bits. A buffer that has been large enough once is filled without allocating.
  using Buffer = std::vector<std::uint64_t>;

  static StateVisitor writer(Buffer& out) { return StateVisitor(&out, nullptr, {}); }
  static StateVisitor reader(std::span<const std::uint64_t> in) {
    return StateVisitor(nullptr, nullptr, in);
  }
  static StateVisitor hasher(Hash& hash) { return StateVisitor(nullptr, &hash, {}); }

  bool reading() const { return !out_ && !hash_; }
  /// Why reading stopped, as in "is cut short"; empty: it has not.
  std::string_view error() const { return error_; }
  /// Words that are left to read.
  std::size_t left() const { return in_.size(); }

  /// Numbers, flags, whole numbers, vectors and rotations, and arrays of them.
  template <typename... Values>
  void operator()(Values&... values) {
    (one(values), ...);
  }
  /// A number from low to high.
  void within(double& value, double low, double high) {
    one(value);
    if (reading() && (value < low || value > high)) {
      value = low;
      fail("has a number outside its range");
    }
  }
  /// A whole number or an enumeration's value, from 0 to count - 1.
  template <typename T>
  void choice(T& value, std::size_t count) {
    auto word = static_cast<std::uint64_t>(value);
    exchange(word);
    if (!reading()) return;
    if (word >= count) return fail("has a number outside its range");
    value = static_cast<T>(word);
  }
  /// As choice, where -1 is allowed too: none.
  void optional_index(int& value, std::size_t count) {
    std::uint64_t word = static_cast<std::uint64_t>(value + 1);
    exchange(word);
    if (!reading()) return;
    if (word > count) return fail("has a number outside its range");
    value = static_cast<int>(word) - 1;
  }
  /// The length of a list, which is resized to it when reading.
  template <typename List>
  void length(List& list, std::size_t most) {
    std::uint64_t count = list.size();
    exchange(count);
    if (!reading()) return;
    if (count > most) return fail("has a list that is too long");
    list.resize(static_cast<std::size_t>(error_.empty() ? count : 0));
  }
  /// A list of numbers, vectors or rotations.
  template <typename List>
  void list(List& values, std::size_t most) {
    length(values, most);
    for (auto& value : values) one(value);
  }
  /// As list, where the object's own length counts and is not visited.
  template <typename List>
  void fixed_list(List& values) {
    for (auto& value : values) one(value);
  }
  void fail(std::string_view why) {
    if (error_.empty()) error_ = why;
    in_ = {};
  }

 private:
  StateVisitor(Buffer* out, Hash* hash, std::span<const std::uint64_t> in)
      : out_(out), hash_(hash), in_(in) {}

  void exchange(std::uint64_t& word) {
    if (hash_) {
      hash_->add(word);
    } else if (out_) {
      out_->push_back(word);
    } else if (in_.empty()) {
      fail("is cut short");
      word = 0;
    } else {
      word = in_.front();
      in_ = in_.subspan(1);
    }
  }
  void one(double& value) {
    auto word = std::bit_cast<std::uint64_t>(value);
    exchange(word);
    if (!reading()) return;
    value = std::bit_cast<double>(word);
    if (!std::isfinite(value)) {
      value = 0;
      fail("has a number that is not finite");
    }
  }
  void one(bool& value) { choice(value, 2); }
  void one(std::uint64_t& value) { exchange(value); }
  void one(std::uint32_t& value) { choice(value, std::size_t{1} << 32); }
  void one(int& value) { choice(value, std::size_t{1} << 31); }  // not negative
  template <int Rows>
  void one(Eigen::Matrix<double, Rows, 1>& vector) {
    for (int i = 0; i < Rows; ++i) one(vector[i]);
  }
  void one(Quat& rotation) {
    for (int i = 0; i < 4; ++i) one(rotation.coeffs()[i]);
  }
  template <typename T, std::size_t kCount>
  void one(std::array<T, kCount>& values) {
    for (T& value : values) one(value);
  }

  Buffer* out_;
  Hash* hash_;
  std::span<const std::uint64_t> in_;
  std::string_view error_;
};

/// Appends an object's state to a buffer.
template <typename Object>
void write_state(const Object& object, StateVisitor::Buffer& out) {
  StateVisitor writer = StateVisitor::writer(out);
  const_cast<Object&>(object).visit(writer);  // a writer changes nothing
}
/// Adds an object's state to a hash.
template <typename Object>
void hash_state(const Object& object, Hash& hash) {
  StateVisitor hasher = StateVisitor::hasher(hash);
  const_cast<Object&>(object).visit(hasher);  // a hasher changes nothing
}

}  // namespace promenade
