#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "promenade/v1/search.pb.h"
#include "schema/error.h"
#include "search/archive.h"
#include "search/problem.h"

namespace promenade::search {

struct SearchResult {
  std::uint32_t generations = 0;  // without the start
  std::uint64_t evaluations = 0;
  double start_score = 0, best_score = 0;
  Vector best, centre;           // [parameters] 0 to 1
  std::uint64_t best_trial = 0;  // number of the best candidate, from 0, which is the start
  std::vector<v1::SearchTerm> start_terms, best_terms;
  Archive archive{{}};              // of problems that have a map
  std::vector<std::uint64_t> ends;  // [Problem::ends()] candidates by how their trials ended
};

/// What a search has come to, generation by generation. It runs no trials itself: outcomes are
/// given to it, or the lines of a log, from which whoever follows a search comes to the same.
class Course {
 public:
  /// @param problem  outlives the object
  Course(const Problem& problem, const v1::SearchStart& start);

  /// The points of the generation that comes next, [dimension] each: those of the first are the
  /// start alone.
  std::vector<Vector> ask();
  /// Notes what they came to. @return whether one of them is the best so far
  bool take(std::span<const Vector> points, std::span<const Outcome> outcomes);
  /// Notes a generation as a log tells of it, the one that comes next.
  /// @return why the log is not of this search
  std::optional<schema::FileError> take(const v1::SearchGeneration& generation);
  /// The last generation, for a log.
  v1::SearchGeneration last(std::span<const Outcome> outcomes) const;

  const SearchResult& result() const { return result_; }
  SearchResult& result() { return result_; }
  /// Step of the method, of the range of a number.
  double sigma() const { return optimiser_->sigma(); }
  Vector centre() const { return optimiser_->centre(); }
  std::uint32_t generation() const { return generation_; }  // the one that comes next
  std::size_t best_point() const { return best_point_; }    // of its generation

 private:
  const Problem& problem_;
  SearchResult result_;
  std::unique_ptr<Optimiser> optimiser_;  // reads result_.archive
  std::uint32_t generation_ = 0;
  std::size_t best_point_ = 0;
};

/// A place of a log's line as a vector.
Vector vector_of(const google::protobuf::RepeatedField<double>& places);

/// The error of a log, whose name the caller puts in.
schema::FileError wrong_log(std::string message);

}  // namespace promenade::search
