#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace promenade::schema {

/// The error in a file or a message, in words with which a person can mend it.
struct FileError {
  std::string file;     // empty: not from a file
  int line = 0;         // from 1; 0: unknown
  std::string key;      // path, as in "links[3].mass_kg"; empty: the whole file
  std::string value;    // what stands there
  std::string allowed;  // what may stand there: "> 0", "a number"
  std::string message;  // what is wrong where "value is not allowed" does not say it
  int column = 0;       // of the line, in characters from 1; 0: unknown

  /// "server/data/creatures/x.json:12: links[3].mass_kg: -2 is not allowed, must be > 0"
  std::string text() const;
  /// The same without file, line and column.
  std::string what() const;
};

/// A value, or why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(FileError error) : content_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// @pre ok()
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&content_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&content_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&content_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// @pre !ok()
  const FileError& error() const {
    assert(!ok());
    return *std::get_if<1>(&content_);
  }

 private:
  std::variant<T, FileError> content_;
};

}  // namespace promenade::schema
