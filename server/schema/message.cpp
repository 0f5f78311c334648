#include "schema/message.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <system_error>
#include <unordered_map>
#include <vector>

#include "schema/text.h"

namespace promenade::schema {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;
using Kind = JsonValue::Kind;

std::string known_keys(const Descriptor* type) {
  std::string out = "one of ";
  for (int i = 0; i < type->field_count(); ++i) out += (i ? ", " : "") + type->field(i)->name();
  return type->field_count() == 0 ? "an empty object" : out;
}

std::string known_values(const EnumDescriptor* type) {
  std::string out;
  for (int i = 0; i < type->value_count(); ++i) {
    // It says that nothing was given, which is no choice.
    if (type->value(i)->name().ends_with("_UNSPECIFIED")) continue;
    out += (out.empty() ? "one of " : ", ") + type->value(i)->name();
  }
  return out;
}

const FieldDescriptor* find_field(const Descriptor* type, const std::string& key) {
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* field = type->field(i);
    if (field->name() == key || field->json_name() == key) return field;
  }
  return nullptr;
}

/// Walks a JSON tree and a message side by side.
class Converter {
 public:
  explicit Converter(Source* source) : source_(source) {}

  bool object(const JsonValue& json, Message* out) {
    if (json.kind != Kind::kObject) return wrong(json, "an object");
    const Descriptor* type = out->GetDescriptor();
    std::unordered_map<const FieldDescriptor*, std::string> given;
    std::unordered_map<const OneofDescriptor*, std::string> chosen;
    const std::size_t size = path_.size();
    for (const JsonMember& member : json.members) {
      const FieldDescriptor* field = find_field(type, member.key);
      path_ += (size ? "." : "") + (field ? field->name() : shortened(member.key));
      if (!field) return fail(member.line, shortened(member.key), "unknown key", known_keys(type));
      note(member.line);
      if (const auto [other, fresh] = given.emplace(field, member.key); !fresh) {
        return fail(member.line, member.key,
                    "given twice, as " + other->second + " and as " + member.key, "given once");
      }
      if (member.value.kind != Kind::kNull) {
        if (const OneofDescriptor* oneof = field->real_containing_oneof()) {
          const auto [other, fresh] = chosen.emplace(oneof, member.key);
          if (!fresh) {
            return fail(member.line, member.key, "cannot be given together with " + other->second,
                        "the only one of these");
          }
        }
        if (!field_value(member.value, field, out)) return false;
      }
      path_.resize(size);
    }
    return true;
  }

  FileError take_error() { return std::move(error_); }

 private:
  bool fail(int line, std::string value, std::string message, std::string allowed) {
    error_ = FileError{source_ ? source_->file : "",
                       line,
                       path_,
                       std::move(value),
                       std::move(allowed),
                       std::move(message)};
    return false;
  }
  bool wrong(const JsonValue& json, std::string allowed) {
    return fail(json.line, json.brief(), "", std::move(allowed));
  }
  void note(int line) {
    if (source_) source_->lines.emplace(path_, line);
  }

  bool field_value(const JsonValue& json, const FieldDescriptor* field, Message* out) {
    if (field->is_map()) return wrong(json, "left out, because maps are not supported");
    if (!field->is_repeated()) return single(json, field, out);
    if (json.kind != Kind::kArray) return wrong(json, "an array");
    const std::size_t size = path_.size();
    for (std::size_t i = 0; i < json.items.size(); ++i) {
      path_.append("[").append(std::to_string(i)).append("]");
      note(json.items[i].line);
      if (!single(json.items[i], field, out)) return false;
      path_.resize(size);
    }
    return true;
  }

  /// Sets a singular field or adds to a repeated one.
  bool single(const JsonValue& json, const FieldDescriptor* field, Message* out) {
    const Reflection* reflection = out->GetReflection();
    const auto put = [&](auto set, auto add, auto value) {
      if (field->is_repeated()) {
        (reflection->*add)(out, field, std::move(value));
      } else {
        (reflection->*set)(out, field, std::move(value));
      }
      return true;
    };
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return object(json, field->is_repeated() ? reflection->AddMessage(out, field)
                                                 : reflection->MutableMessage(out, field));
      case FieldDescriptor::CPPTYPE_BOOL:
        if (json.kind != Kind::kBool) return wrong(json, "true or false");
        return put(&Reflection::SetBool, &Reflection::AddBool, json.boolean);
      case FieldDescriptor::CPPTYPE_STRING:
        if (field->type() == FieldDescriptor::TYPE_BYTES) {
          return wrong(json, "left out, because bytes are not supported");
        }
        if (json.kind != Kind::kString) return wrong(json, "a string");
        return put(&Reflection::SetString, &Reflection::AddString, json.text);
      case FieldDescriptor::CPPTYPE_ENUM: {
        const EnumValueDescriptor* value = enum_value(json, field->enum_type());
        if (!value) return wrong(json, known_values(field->enum_type()));
        return put(&Reflection::SetEnum, &Reflection::AddEnum, value);
      }
      case FieldDescriptor::CPPTYPE_DOUBLE: {
        double value = 0;
        if (!real(json, std::numeric_limits<double>::max(), &value)) return false;
        return put(&Reflection::SetDouble, &Reflection::AddDouble, value);
      }
      case FieldDescriptor::CPPTYPE_FLOAT: {
        double value = 0;
        if (!real(json, std::numeric_limits<float>::max(), &value)) return false;
        return put(&Reflection::SetFloat, &Reflection::AddFloat, static_cast<float>(value));
      }
      case FieldDescriptor::CPPTYPE_INT32: {
        std::int32_t value = 0;
        if (!integer(json, &value)) return false;
        return put(&Reflection::SetInt32, &Reflection::AddInt32, value);
      }
      case FieldDescriptor::CPPTYPE_UINT32: {
        std::uint32_t value = 0;
        if (!integer(json, &value)) return false;
        return put(&Reflection::SetUInt32, &Reflection::AddUInt32, value);
      }
      case FieldDescriptor::CPPTYPE_INT64: {
        std::int64_t value = 0;
        if (!integer(json, &value)) return false;
        return put(&Reflection::SetInt64, &Reflection::AddInt64, value);
      }
      case FieldDescriptor::CPPTYPE_UINT64: {
        std::uint64_t value = 0;
        if (!integer(json, &value)) return false;
        return put(&Reflection::SetUInt64, &Reflection::AddUInt64, value);
      }
    }
    return wrong(json, "left out, because this kind of field is not supported");
  }

  /// The text of a number, which protobuf also takes in quotes; empty if it is none.
  static std::string number_text(const JsonValue& json) {
    if (json.kind == Kind::kNumber) return json.text;
    if (json.kind != Kind::kString) return "";
    const auto inner = parse_json(json.text);
    const bool plain = inner.ok() && inner->kind == Kind::kNumber && inner->text == json.text;
    return plain ? json.text : "";
  }

  bool real(const JsonValue& json, double largest, double* out) {
    const std::string text = number_text(json);
    if (text.empty()) {
      const bool infinite =
          json.text == "NaN" || json.text == "Infinity" || json.text == "-Infinity";
      return wrong(json, infinite ? "a finite number" : "a number");
    }
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), *out);
    // from_chars says "out of range" for both 1e-999 and 1e999; strtod makes them 0 and infinity.
    if (code == std::errc::result_out_of_range) *out = std::strtod(text.c_str(), nullptr);
    if (std::isfinite(*out) && std::abs(*out) <= largest) return true;
    return wrong(json, "a finite number");
  }

  template <typename T>
  bool integer(const JsonValue& json, T* out) {
    const std::string text = number_text(json);
    const std::string allowed = "a whole number from " +
                                std::to_string(std::numeric_limits<T>::min()) + " to " +
                                std::to_string(std::numeric_limits<T>::max());
    if (text.empty()) return wrong(json, allowed);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), *out);
    if (code == std::errc() && end == text.data() + text.size()) return true;
    // 1.0 and 1e3 are whole numbers too. Doubles are exact below 2^53 only.
    double value = 0;
    const auto [real_end, real_code] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    const double exact = 9007199254740992.0;
    const bool whole = real_code == std::errc() && value == std::trunc(value) &&
                       std::abs(value) < exact &&
                       value >= static_cast<double>(std::numeric_limits<T>::min()) &&
                       value <= static_cast<double>(std::numeric_limits<T>::max());
    if (!whole) return wrong(json, allowed);
    *out = static_cast<T>(value);
    return true;
  }

  const EnumValueDescriptor* enum_value(const JsonValue& json, const EnumDescriptor* type) {
    if (json.kind == Kind::kString) return type->FindValueByName(json.text);
    int number = 0;
    if (json.kind != Kind::kNumber) return nullptr;
    const char* last = json.text.data() + json.text.size();
    const auto [end, code] = std::from_chars(json.text.data(), last, number);
    return code == std::errc() && end == last ? type->FindValueByNumber(number) : nullptr;
  }

  Source* source_;
  std::string path_;
  FileError error_;
};

}  // namespace

int Source::line(std::string_view key) const {
  while (true) {
    if (const auto found = lines.find(key); found != lines.end()) return found->second;
    const std::size_t cut = key.find_last_of(".[");
    if (cut == std::string_view::npos) return lines.empty() ? 0 : 1;
    key = key.substr(0, cut);
  }
}

std::optional<FileError> message_from_json(std::string_view text, Message* out, Source* source,
                                           const JsonLimits& limits) {
  if (source && !source->file.empty()) {
    if (auto fault = text_fault(text)) {
      fault->file = source->file;
      return fault;
    }
  }
  auto json = parse_json(text, limits);
  if (!json) {
    FileError error = json.error();
    if (source) error.file = source->file;
    return error;
  }
  out->Clear();
  Converter converter(source);
  if (!converter.object(*json, out)) return converter.take_error();
  return std::nullopt;
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const auto refuse = [&](std::string message, std::string allowed = "") {
    return FileError{path.string(), 0, "", "", std::move(allowed), std::move(message)};
  };
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) return refuse("no such file");
  if (!std::filesystem::is_regular_file(status)) return refuse("not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) return refuse("cannot be opened for reading");
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (code) return refuse("cannot be read");
  if (size > max_bytes) {
    return refuse("is too large", "at most " + std::to_string(max_bytes) + " bytes");
  }
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return refuse("cannot be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

Result<std::vector<std::filesystem::path>> json_files(const std::filesystem::path& directory) {
  std::error_code code;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code)) {
    if (it->path().extension() == ".json") files.push_back(it->path());
  }
  if (code) {
    return FileError{directory.string(), 0, "", "", "", "cannot be listed: " + code.message()};
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string message_to_json(const Message& message, bool all_fields, bool pretty) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = all_fields;
  options.add_whitespace = pretty;
  std::string out;
  // This fails only for Any messages of unknown type, and the protocol has no Any.
  (void)google::protobuf::util::MessageToJsonString(message, &out, options);
  return out;
}

}  // namespace promenade::schema
