#include "search/walking/parameter_vector.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "command/nearest.h"
#include "schema/check.h"
#include "schema/parameters.h"
#include "schema/refusal.h"

namespace promenade::search {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using schema::Checker;

constexpr std::string_view kStylePrefix = "style.";
constexpr std::string_view kTasks = "tasks";  // file of the numbers of tasks
constexpr int kMostParameters = 200;

std::vector<std::string> field_names(const Descriptor& type) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(type.field_count()));
  for (int i = 0; i < type.field_count(); ++i) names.push_back(type.field(i)->name());
  return names;
}

/// The path of the first number below a message: "gain", or "group.gain".
std::string first_number(const Descriptor& type) {
  const FieldDescriptor& first = *type.field(0);
  return first.name() + (first.message_type() ? "." + first_number(*first.message_type()) : "");
}

const schema::JsonValue* member_of(const schema::JsonValue& object, const FieldDescriptor& field) {
  for (const schema::JsonMember& member : object.members) {
    if (member.key == field.name() || member.key == field.json_name()) return &member.value;
  }
  return nullptr;
}

}  // namespace

ReadFile files_of(const std::filesystem::path& data_dir) {
  return [data_dir](const std::string& name) {
    if (name == kTasks) return schema::read_file(data_dir / (name + ".json"));
    const bool style = name.starts_with(kStylePrefix);
    return schema::read_file(style ? data_dir / "styles" /
                                         (name.substr(kStylePrefix.size()) + ".json")
                                   : data_dir / "controllers" / (name + ".json"));
  };
}

ReadFile files_of(const v1::SearchStart& start) {
  return [&start](const std::string& name) -> schema::Result<std::string> {
    for (const v1::SearchFile& file : start.files()) {
      if (file.name() == name) return file.text();
    }
    return schema::FileError{"", 0, name, "", "", "is not in the log"};
  };
}

double rounded(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3e", value);
  return std::strtod(text, nullptr);
}

std::string number_text(double value) {
  char text[400];
  const auto [end, code] =
      std::to_chars(text, text + sizeof text, value == 0 ? 0 : value, std::chars_format::fixed);
  assert(code == std::errc());
  return std::string(text, end);
}

/// Makes a vector, parameter by parameter.
class ParameterVector::Maker {
 public:
  Maker(const v1::Objective& objective, const schema::Source& source, const control::Family& family,
        const ReadFile& read)
      : objective_(objective), family_(family), read_(read), check_(source) {}

  schema::Result<ParameterVector> run() {
    const int count = objective_.parameters_size();
    if (count < 1 || count > kMostParameters) {
      check_.fail("parameters", std::to_string(count) + " parameters",
                  "1 to " + std::to_string(kMostParameters));
    }
    for (int i = 0; i < count && check_.ok(); ++i) add(i);
    if (!check_.ok()) return check_.error();
    made_.start_.resize(count);
    for (int i = 0; i < count; ++i) made_.start_[i] = start_of(made_.at(i));
    for (int i = 0; i < count && check_.ok(); ++i) check_ends(i);
    if (!check_.ok()) return check_.error();
    return std::move(made_);
  }

 private:
  static double start_of(const Field& f) {
    return f.log ? std::log(f.present / f.low) / std::log(f.high / f.low)
                 : (f.present - f.low) / (f.high - f.low);
  }

  bool add(int i) {
    const v1::ObjectiveParameter& asked = objective_.parameters(i);
    key_ = schema::indexed("parameters", std::size_t(i));
    Field field;
    field.path = asked.path();
    for (const Field& other : made_.fields_) {
      if (other.path == field.path) {
        return check_.fail(key_ + ".path", schema::in_quotes(field.path), "given once",
                           schema::in_quotes(field.path) + " is searched already");
      }
    }
    if (!find(field) || !set_range(asked, field)) return false;
    made_.fields_.push_back(std::move(field));
    return true;
  }

  bool refuse_path(const std::string& path, const std::string& allowed,
                   const std::string& message = "") {
    return check_.fail(key_ + ".path", schema::in_quotes(path, 120), allowed, message);
  }

  // File, way and place of a path.
  bool find(Field& field) {
    const std::string& path = field.path;
    std::size_t dot = path.find('.');
    if (path.starts_with(kStylePrefix)) dot = path.find('.', kStylePrefix.size());
    const std::string name = path.substr(0, dot);
    const bool known = path.starts_with(kStylePrefix) || name == family_.name || name == kTasks;
    if (dot == std::string::npos || !known) {
      const std::string own(family_.name);
      return refuse_path(path, own + ".FIELD as in " + own + "." +
                                   first_number(*family_.parameters().GetDescriptor()) +
                                   ", tasks.GROUP.FIELD as in tasks.pick_up.lift_s, or " +
                                   "style.NAME.FIELD as in style.normal.step_width_m");
    }
    if (!open(name, field.file)) return false;
    const File& file = made_.files_[field.file];
    const schema::JsonValue* json = &file.json;
    const Descriptor* type = file.message->GetDescriptor();
    std::string_view rest = std::string_view(path).substr(dot + 1);
    while (true) {
      const std::size_t end = rest.find('.');
      Step step{};
      if (!step_of(path, rest.substr(0, end), type, json, step)) return false;
      field.way.push_back(step);
      type = step.field->message_type();
      const bool last = end == std::string_view::npos;
      if (last != (type == nullptr)) {
        return refuse_path(path, last ? "the path of a number in it" : "without what follows it",
                           step.field->name() + (last ? " is not a number" : " has no fields"));
      }
      if (last) break;
      rest.remove_prefix(end + 1);
    }
    if (field.way.back().field->cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE ||
        json->kind != schema::JsonValue::Kind::kNumber) {
      return refuse_path(path, "the path of a number", json->brief() + " is not a number");
    }
    field.begin = json->begin;
    field.length = json->text.size();
    field.present = std::strtod(json->text.c_str(), nullptr);
    return true;
  }

  // One element of a path, such as "curves[1]"; `json` becomes its value in the file.
  bool step_of(const std::string& path, std::string_view element, const Descriptor* type,
               const schema::JsonValue*& json, Step& step) {
    const std::size_t bracket = element.find('[');
    const std::string name(element.substr(0, bracket));
    step.field = type->FindFieldByName(name);
    if (!step.field) {
      const std::vector<std::string> names = field_names(*type);
      return refuse_path(path, schema::listed_names(names),
                         schema::in_quotes(name) + " is not a field of " + type->name() +
                             command::meant(name, names));
    }
    json = member_of(*json, *step.field);
    if (!json) {
      return refuse_path(path, "a number that the file gives", name + " is not in the file");
    }
    if (step.field->is_repeated() != (bracket != std::string_view::npos)) {
      return refuse_path(path,
                         step.field->is_repeated() ? name + "[0], " + name + "[1] ..." : name);
    }
    if (!step.field->is_repeated()) return true;
    const std::string_view number = element.substr(bracket + 1);
    const char* last = number.data() + number.size();
    const auto [end, code] = std::from_chars(number.data(), last, step.index);
    const auto count = static_cast<int>(json->items.size());
    if (code != std::errc() || end + 1 != last || *end != ']' || step.index < 0 ||
        step.index >= count) {
      return refuse_path(path, name + "[0] to " + schema::indexed(name, std::size_t(count) - 1),
                         "the file has " + std::to_string(count) + " " + name);
    }
    json = &json->items[std::size_t(step.index)];
    return true;
  }

  // The file of a name, read if it has not been.
  bool open(const std::string& name, std::size_t& index) {
    for (index = 0; index < made_.files_.size(); ++index) {
      if (made_.files_[index].name == name) return true;
    }
    const bool plain = name.find_first_of("/\\") == std::string::npos;
    auto text = plain ? read_(name) : schema::FileError{"", 0, "", "", "", "no such file"};
    if (!text) {
      return check_.fail(key_ + ".path", schema::in_quotes(name), "an existing file",
                         text.error().text());
    }
    File file;
    file.name = name;
    file.text = *std::move(text);
    std::shared_ptr<Message> message;
    if (name == family_.name) {
      message.reset(family_.parameters().New());
    } else if (name == kTasks) {
      message = std::make_shared<v1::TaskParameters>();
    } else {
      message = std::make_shared<v1::Style>();
    }
    schema::Source source;
    source.file = name;
    std::optional<schema::FileError> error =
        schema::message_from_json(file.text, message.get(), &source);
    if (!error && !name.starts_with(kStylePrefix)) {
      error = schema::check_parameters(*message, source);
    }
    if (error) {
      return check_.fail(key_ + ".path", schema::in_quotes(name), "a file without mistakes",
                         error->text());
    }
    file.message = std::move(message);
    file.json = *schema::parse_json(file.text);
    made_.files_.push_back(std::move(file));
    return true;
  }

  // The range that the schema allows; any for a style's number, which build_style() checks.
  static v1::Limits allowed(const Field& field) {
    if (const auto limits = schema::limits_of(*field.way.back().field)) return *limits;
    v1::Limits any;
    any.set_least(-1e6);
    any.set_most(1e6);
    return any;
  }

  bool set_range(const v1::ObjectiveParameter& asked, Field& field) {
    const v1::Limits most = allowed(field);
    const double factor = asked.factor() == 0 ? 2 : asked.factor();
    if (!check_.range(key_ + ".factor", factor, 1.01, 1000)) return false;
    if ((asked.has_low() && !check_.range(key_ + ".low", asked.low(), most.least(), most.most())) ||
        (asked.has_high() &&
         !check_.range(key_ + ".high", asked.high(), most.least(), most.most()))) {
      return false;
    }
    if (field.present == 0 && !(asked.has_low() && asked.has_high())) {
      return check_.fail(key_, field.path, "low and high",
                         field.path + " is 0, so no factor gives a range");
    }
    const double over = field.present / factor, times = field.present * factor;
    field.low = asked.has_low() ? asked.low()
                                : std::clamp(std::min(over, times), most.least(), most.most());
    field.high = asked.has_high() ? asked.high()
                                  : std::clamp(std::max(over, times), most.least(), most.most());
    field.log = asked.log();
    if (!(field.low < field.high)) {
      return check_.fail(key_ + ".low", schema::number(field.low),
                         "less than high, " + schema::number(field.high));
    }
    if (field.log && !(field.low > 0)) {
      return check_.fail(key_ + ".low", schema::number(field.low), "> 0 with log");
    }
    if (field.present < field.low || field.present > field.high) {
      return check_.fail(key_, "a range of " + schema::range_text(field.low, field.high),
                         "around the present value",
                         field.path + " is " + schema::number(field.present) +
                             ", which is not from " + schema::range_text(field.low, field.high));
    }
    return true;
  }

  // A style must be one at both ends of each range, the other numbers as they are.
  bool check_ends(int i) {
    for (const double place : {0.0, 1.0}) {
      Vector places = made_.start_;
      places[i] = place;
      if (const auto candidate = made_.candidate(places); !candidate) {
        const std::string at = schema::indexed("parameters", std::size_t(i));
        return check_.fail(at + (place == 0 ? ".low" : ".high"),
                           schema::number(made_.value(i, place)), candidate.error().allowed,
                           candidate.error().what());
      }
    }
    return true;
  }

  const v1::Objective& objective_;
  const control::Family& family_;
  const ReadFile& read_;
  Checker check_;
  std::string key_;  // of the present parameter
  ParameterVector made_;
};

schema::Result<ParameterVector> ParameterVector::make(const v1::Objective& objective,
                                                      const schema::Source& source,
                                                      const control::Family& family,
                                                      const ReadFile& read) {
  return Maker(objective, source, family, read).run();
}

double ParameterVector::value(int field, double place) const {
  const Field& f = at(field);
  const double value =
      f.log ? f.low * std::pow(f.high / f.low, place) : f.low + place * (f.high - f.low);
  return std::clamp(rounded(value), f.low, f.high);
}

std::vector<double> ParameterVector::values(const Vector& places) const {
  std::vector<double> values;
  values.reserve(fields_.size());
  for (int i = 0; i < size(); ++i) values.push_back(value(i, places[i]));
  return values;
}

std::shared_ptr<Message> ParameterVector::message_of(std::size_t file, const Vector& places) const {
  std::shared_ptr<Message> whole(files_[file].message->New());
  whole->CopyFrom(*files_[file].message);
  for (int i = 0; i < size(); ++i) {
    const Field& field = at(i);
    if (field.file != file) continue;
    Message* message = whole.get();
    for (const Step& step : field.way) {
      const Reflection* reflection = message->GetReflection();
      const bool last = &step == &field.way.back();
      if (last && step.index < 0) {
        reflection->SetDouble(message, step.field, value(i, places[i]));
      } else if (last) {
        reflection->SetRepeatedDouble(message, step.field, step.index, value(i, places[i]));
      } else if (step.index < 0) {
        message = reflection->MutableMessage(message, step.field);
      } else {
        message = reflection->MutableRepeatedMessage(message, step.field, step.index);
      }
    }
  }
  return whole;
}

schema::Result<Candidate> ParameterVector::candidate(const Vector& places) const {
  Candidate candidate;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    std::shared_ptr<Message> message = message_of(i, places);
    const auto* const style_message = dynamic_cast<const v1::Style*>(message.get());
    if (!style_message) {
      if (files_[i].name == kTasks) {
        candidate.tasks = std::dynamic_pointer_cast<const v1::TaskParameters>(std::move(message));
      } else {
        candidate.parameters = std::move(message);
      }
      continue;
    }
    auto style = build_style(*style_message);
    if (!style) return style.error();
    candidate.styles[files_[i].name.substr(kStylePrefix.size())] =
        std::make_shared<const Style>(*std::move(style));
  }
  return candidate;
}

std::string ParameterVector::file_text(int file, const Vector& places) const {
  std::vector<int> here;
  for (int i = 0; i < size(); ++i) {
    if (at(i).file == std::size_t(file)) here.push_back(i);
  }
  // The texts are replaced from the end, so that the places before stay what they are.
  std::sort(here.begin(), here.end(), [&](int a, int b) { return at(a).begin > at(b).begin; });
  std::string text = files_[std::size_t(file)].text;
  for (const int i : here) {
    const Field& field = at(i);
    const double value = this->value(i, places[i]);
    if (value != field.present) text.replace(field.begin, field.length, number_text(value));
  }
  return text;
}

}  // namespace promenade::search
