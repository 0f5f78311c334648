#include "schema/error.h"

namespace promenade::schema {

std::string FileError::what() const {
  std::string out;
  if (!key.empty()) out += key + ": ";
  if (!message.empty()) {
    out += message;
  } else {
    out += (value.empty() ? "nothing" : value) + " is not allowed";
  }
  if (!allowed.empty()) out += ", must be " + allowed;
  return out;
}

std::string FileError::text() const {
  std::string where = file;
  if (line > 0) where += (file.empty() ? "line " : ":") + std::to_string(line);
  if (column > 0) where += (file.empty() ? ", column " : ":") + std::to_string(column);
  return where.empty() ? what() : where + ": " + what();
}

}  // namespace promenade::schema
