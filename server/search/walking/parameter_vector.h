#pragma once

#include <google/protobuf/message.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "control/registry.h"
#include "promenade/v1/search.pb.h"
#include "promenade/v1/task_parameters.pb.h"
#include "schema/error.h"
#include "schema/json.h"
#include "schema/message.h"
#include "search/optimise/optimiser.h"

namespace promenade::search {

/// The text of the file of a name: "gbwc" of a family's parameters, "tasks" of the numbers of
/// tasks, "style.normal" of a style.
using ReadFile = std::function<schema::Result<std::string>(const std::string& name)>;
/// Reads the files of a data directory.
ReadFile files_of(const std::filesystem::path& data_dir);
/// Reads the files that a log keeps.
ReadFile files_of(const v1::SearchStart& start);

/// The parameters and styles that a point of the search stands for.
struct Candidate {
  control::Parameters parameters;  // of the family; null: none of them is searched
  std::map<std::string, std::shared_ptr<const Style>> styles;  // those that are searched
  std::shared_ptr<const v1::TaskParameters> tasks;             // null: none of them is searched
};

/// `value` to four significant digits. All values of a search are, so that the scored values are
/// those in the file.
double rounded(double value);
/// The text of a number in files: the fewest digits that give it again, never an exponent.
std::string number_text(double value);

/// The numbers that are searched: where they stand in files, and how a place in 0 to 1 becomes a
/// value in their range.
class ParameterVector {
 public:
  /// @param objective  its `parameters`; errors name them
  /// @param family     whose parameters may be searched
  static schema::Result<ParameterVector> make(const v1::Objective& objective,
                                              const schema::Source& source,
                                              const control::Family& family, const ReadFile& read);

  int size() const { return static_cast<int>(fields_.size()); }
  const std::string& path(int field) const { return at(field).path; }
  double low(int field) const { return at(field).low; }
  double high(int field) const { return at(field).high; }

  /// Where the present values are, [size].
  const Vector& start() const { return start_; }
  /// @param place  0 to 1
  double value(int field, double place) const;
  /// [size]
  std::vector<double> values(const Vector& places) const;

  /// A point as parameters and styles. The error is that of a style whose numbers do not go
  /// together, such as a curve whose points have changed their order.
  schema::Result<Candidate> candidate(const Vector& places) const;

  int file_count() const { return static_cast<int>(files_.size()); }
  /// "gbwc", "tasks", "style.normal"
  const std::string& file_name(int file) const { return files_[std::size_t(file)].name; }
  /// The text as it was read.
  const std::string& file_text(int file) const { return files_[std::size_t(file)].text; }
  /// The text with a point's values in place of those that are searched, nothing else changed.
  std::string file_text(int file, const Vector& places) const;

 private:
  /// A step on the way to a number: a field, and which of its elements if it is repeated.
  struct Step {
    const google::protobuf::FieldDescriptor* field;
    int index = -1;
  };
  struct Field {
    std::string path;
    std::size_t file = 0;
    std::vector<Step> way;              // from the file's message
    std::size_t begin = 0, length = 0;  // of the number in the file's text
    double present = 0, low = 0, high = 1;
    bool log = false;
  };
  struct File {
    std::string name, text;
    std::shared_ptr<const google::protobuf::Message> message;
    schema::JsonValue json;
  };
  class Maker;

  const Field& at(int field) const { return fields_[std::size_t(field)]; }
  std::shared_ptr<google::protobuf::Message> message_of(std::size_t file,
                                                        const Vector& places) const;

  std::vector<Field> fields_;
  std::vector<File> files_;
  Vector start_;
};

}  // namespace promenade::search
