// What searches and studies of gaits have in common: the thread that looks after them, and the
// directory of their files.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>

#include "service/searches/private_directory.h"
#include "service/searches/watch_thread.h"

namespace promenade::service {
namespace {

using namespace std::chrono_literals;

TEST(WatchThread, LooksAgainAndAgainAndEndsOnce) {
  std::atomic<int> looks = 0;
  WatchThread watch([&](auto&) {
    ++looks;
    return 1ms;
  });
  while (looks < 5) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(watch.ends());
  EXPECT_TRUE(watch.end());
  EXPECT_TRUE(watch.ends());
  EXPECT_FALSE(watch.end());
  const int after = looks;
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(looks, after);
}

TEST(WatchThread, IsWokenBeforeItsPauseIsOver) {
  std::atomic<int> looks = 0;
  WatchThread watch([&](auto&) {
    ++looks;
    return 1h;
  });
  while (looks < 1) std::this_thread::sleep_for(1ms);
  const auto begun = std::chrono::steady_clock::now();
  while (looks < 2 && std::chrono::steady_clock::now() < begun + 20s) {
    {
      const auto lock = watch.lock();
      watch.wake();
    }
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_GE(looks, 2);
}

TEST(WatchThread, MayLetTheLockGoInALook) {
  std::atomic<bool> entered = false, left = false;
  WatchThread watch([&](std::unique_lock<std::mutex>& lock) {
    if (entered) return std::chrono::milliseconds(1h);
    lock.unlock();
    entered = true;
    while (!left) std::this_thread::sleep_for(1ms);
    lock.lock();
    return std::chrono::milliseconds(1h);
  });
  while (!entered) std::this_thread::sleep_for(1ms);
  { const auto lock = watch.lock(); }  // would wait for ever if the look held it
  left = true;
  EXPECT_TRUE(watch.end());
}

TEST(PrivateDirectory, IsForThisUserAloneAndHasAnotherNameEachTime) {
  std::filesystem::path first;
  {
    PrivateDirectory directory("promenade-test");
    first = directory.make();
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(directory.make(), first);
    struct stat status {};
    ASSERT_EQ(::stat(first.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    std::ofstream(first / "file") << "text";
    PrivateDirectory other("promenade-test");
    EXPECT_NE(other.make(), first);
    std::filesystem::remove_all(other.make());
    EXPECT_TRUE(std::filesystem::is_directory(other.make())) << "it is made again";
  }
  EXPECT_FALSE(std::filesystem::exists(first));
}

TEST(PrivateDirectory, ThatCannotBeMadeIsAnError) {
  const char* before = std::getenv("TMPDIR");
  const std::optional<std::string> kept =
      before ? std::optional<std::string>(before) : std::nullopt;
  ::setenv("TMPDIR", "/proc/nowhere", 1);
  PrivateDirectory directory("promenade-test");
  EXPECT_TRUE(directory.make().empty());
  if (kept) {
    ::setenv("TMPDIR", kept->c_str(), 1);
  } else {
    ::unsetenv("TMPDIR");
  }
  EXPECT_FALSE(directory.make().empty());
  EXPECT_EQ(no_directory("search").field, "search");
}

}  // namespace
}  // namespace promenade::service
