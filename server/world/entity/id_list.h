#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace promenade::world {

/// Owned objects by ascending ids. Whoever has the list const can only read the objects; iterators
/// give plain pointers.
template <typename T>
class IdList {
  using Owned = std::vector<std::unique_ptr<T>>;

 public:
  /// Walks along the list. @tparam One  T, or const T where the list is const
  template <typename One>
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = One*;
    using difference_type = std::ptrdiff_t;
    using pointer = One* const*;
    using reference = One*;

    Iterator() = default;
    explicit Iterator(typename Owned::const_iterator at) : at_(at) {}
    One* operator*() const { return at_->get(); }
    One* operator[](difference_type n) const { return at_[n].get(); }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(at_++); }
    Iterator& operator--() { return --at_, *this; }
    Iterator operator--(int) { return Iterator(at_--); }
    Iterator& operator+=(difference_type n) { return at_ += n, *this; }
    Iterator& operator-=(difference_type n) { return at_ -= n, *this; }
    Iterator operator+(difference_type n) const { return Iterator(at_ + n); }
    Iterator operator-(difference_type n) const { return Iterator(at_ - n); }
    difference_type operator-(const Iterator& other) const { return at_ - other.at_; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }
    auto operator<=>(const Iterator& other) const { return at_ <=> other.at_; }

   private:
    typename Owned::const_iterator at_;
  };

  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  T* operator[](std::size_t i) { return all_[i].get(); }
  const T* operator[](std::size_t i) const { return all_[i].get(); }
  T* back() { return all_.back().get(); }
  const T* back() const { return all_.back().get(); }
  const T* front() const { return all_.front().get(); }
  Iterator<T> begin() { return Iterator<T>(all_.cbegin()); }
  Iterator<T> end() { return Iterator<T>(all_.cend()); }
  Iterator<const T> begin() const { return Iterator<const T>(all_.cbegin()); }
  Iterator<const T> end() const { return Iterator<const T>(all_.cend()); }

  /// The first place whose id is not below this one: that of the object itself, if it is there.
  std::size_t place_of(std::uint32_t id) const {
    const auto found =
        std::lower_bound(all_.begin(), all_.end(), id,
                         [](const auto& one, std::uint32_t wanted) { return one->id < wanted; });
    return std::size_t(found - all_.begin());
  }
  /// Null: it is not there.
  T* find(std::uint32_t id) { return const_cast<T*>(std::as_const(*this).find(id)); }
  const T* find(std::uint32_t id) const {
    const std::size_t place = place_of(id);
    return place < all_.size() && all_[place]->id == id ? all_[place].get() : nullptr;
  }

  /// @pre its id is above all others
  T& add(std::unique_ptr<T> one) {
    all_.push_back(std::move(one));
    return *all_.back();
  }
  /// Removes those for which gone(const T*) or gone(T*) is true. @return how many
  template <typename Gone>
  std::size_t erase_if(Gone&& gone) {
    return std::erase_if(all_, [&](const auto& one) { return gone(one.get()); });
  }
  void clear() { all_.clear(); }

 private:
  Owned all_;
};

}  // namespace promenade::world
