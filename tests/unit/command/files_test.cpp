#include "command/files.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace promenade::command {
namespace {

namespace fs = std::filesystem;

/// A variable of the environment that has its value again afterwards.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(UserDataDirectory, IsInTheHomeThatTheSystemHasWhereTheVariableIsNotSet) {
  const Variable data("XDG_DATA_HOME", nullptr);
  const passwd* user = getpwuid(geteuid());
  const fs::path home = user ? user->pw_dir : "";
  const fs::path expected = fs::is_directory(home) ? home / ".local/share/promenade" : "";
  for (const char* unset : {static_cast<const char*>(nullptr), "", "not/absolute"}) {
    const Variable variable("HOME", unset);
    EXPECT_EQ(user_data_directory(), expected);
  }
}

TEST(UserDataDirectory, IsNeverTheWorkingDirectory) {
  for (const char* data : {static_cast<const char*>(nullptr), "", ".", "data"}) {
    for (const char* home : {static_cast<const char*>(nullptr), "", ".", "home"}) {
      const Variable one("XDG_DATA_HOME", data), other("HOME", home);
      const fs::path found = user_data_directory();
      EXPECT_TRUE(found.empty() || found.is_absolute()) << found;
      EXPECT_NE(found, fs::current_path());
    }
  }
}

}  // namespace
}  // namespace promenade::command
