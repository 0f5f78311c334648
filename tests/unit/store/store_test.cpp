#include "store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace promenade::store {
namespace {

using ::testing::HasSubstr;
using What = Outcome::What;

struct StoreTest : ::testing::Test {
  StoreTest() {
    static int count = 0;
    directory = std::filesystem::temp_directory_path() /
                ("promenade_store_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    file = directory / "below" / "promenade.db";
  }
  ~StoreTest() override { std::filesystem::remove_all(directory); }
  std::string error_of_opening() const {
    try {
      Store store(file);
    } catch (const StoreError& error) {
      return error.what();
    }
    return "none";
  }
  std::filesystem::path directory, file;
};

TEST_F(StoreTest, KeepsEveryVersion) {
  {
    Store store(file);
    EXPECT_EQ(store.save(Kind::kStyle, "a", "one", 0).record.version, 1u);
    EXPECT_EQ(store.save(Kind::kStyle, "a", "two", 1).record.version, 2u);
    EXPECT_EQ(store.save(Kind::kBody, "a", "a body", 0).record.version, 1u);
    EXPECT_EQ(store.save(Kind::kStyle, "b", "\"\n\xc3\xa9", 0).record.version, 1u);
  }
  const Store store(file);
  const auto styles = store.in_force(Kind::kStyle);
  ASSERT_EQ(styles.size(), 2u);
  EXPECT_EQ(styles[0].name, "a");
  EXPECT_EQ(styles[0].version, 2u);
  EXPECT_EQ(styles[0].content, "two");
  EXPECT_GT(styles[0].saved_at_ms, 1'700'000'000'000);
  EXPECT_EQ(styles[1].content, "\"\n\xc3\xa9");
  EXPECT_EQ(store.in_force(Kind::kBody).size(), 1u);
  EXPECT_EQ(store.find(Kind::kStyle, "a", 1)->content, "one");
  EXPECT_FALSE(store.find(Kind::kStyle, "a", 3));
  EXPECT_FALSE(store.find(Kind::kBody, "b", 1));
  const auto versions = store.versions(Kind::kStyle, "a");
  ASSERT_EQ(versions.size(), 2u);
  EXPECT_EQ(versions[0].version, 2u);
  EXPECT_EQ(versions[1].version, 1u);
  EXPECT_EQ(versions[1].content, "one");
}

TEST_F(StoreTest, ASaveOnTopOfAnotherVersionIsAConflictAndChangesNothing) {
  Store store(":memory:");
  EXPECT_EQ(store.save(Kind::kStyle, "a", "one", 1).what, What::kConflict) << "nothing is there";
  store.save(Kind::kStyle, "a", "one", 0);
  store.save(Kind::kStyle, "a", "two", 1);
  for (const std::uint32_t based_on : {0u, 1u, 3u}) {
    const Outcome outcome = store.save(Kind::kStyle, "a", "other", based_on);
    EXPECT_EQ(outcome.what, What::kConflict) << based_on;
    EXPECT_EQ(outcome.newest, 2u);
  }
  EXPECT_EQ(store.versions(Kind::kStyle, "a").size(), 2u);
  EXPECT_EQ(store.in_force(Kind::kStyle)[0].content, "two");
}

TEST_F(StoreTest, ADeletionFreesTheNameAndKeepsTheVersions) {
  Store store(file);
  EXPECT_EQ(store.remove(Kind::kBody, "a", std::nullopt).what, What::kNotThere);
  store.save(Kind::kBody, "a", "one", 0);
  EXPECT_EQ(store.remove(Kind::kBody, "a", 7).what, What::kConflict);
  EXPECT_EQ(store.remove(Kind::kBody, "a", 7).newest, 1u);
  const Outcome outcome = store.remove(Kind::kBody, "a", 1);
  EXPECT_EQ(outcome.what, What::kDone);
  EXPECT_EQ(outcome.record.version, 2u);
  EXPECT_TRUE(outcome.record.deleted);
  EXPECT_TRUE(store.in_force(Kind::kBody).empty());
  EXPECT_EQ(store.find(Kind::kBody, "a", 1)->content, "one");
  EXPECT_EQ(store.save(Kind::kBody, "a", "again", 2).what, What::kConflict) << "it is gone: 0";
  EXPECT_EQ(store.save(Kind::kBody, "a", "again", 0).record.version, 3u);
  EXPECT_EQ(store.versions(Kind::kBody, "a").size(), 3u);
}

TEST_F(StoreTest, KeepsTheNewestVersionsOfAName) {
  Store store(":memory:");
  constexpr auto kMost = std::uint32_t(Store::kMaxVersions);
  store.save(Kind::kStyle, "b", "other", 0);
  store.save(Kind::kBody, "a", "other", 0);
  for (std::uint32_t version = 0; version < kMost; ++version) {
    store.save(Kind::kStyle, "a", std::to_string(version + 1), version);
  }
  EXPECT_EQ(store.versions(Kind::kStyle, "a").size(), kMost);
  EXPECT_EQ(store.find(Kind::kStyle, "a", 1)->content, "1");
  EXPECT_EQ(store.save(Kind::kStyle, "a", "more", kMost).record.version, kMost + 1);
  EXPECT_EQ(store.remove(Kind::kStyle, "a", std::nullopt).record.version, kMost + 2);
  EXPECT_EQ(store.versions(Kind::kStyle, "a").size(), kMost);
  EXPECT_FALSE(store.find(Kind::kStyle, "a", 2));
  EXPECT_EQ(store.find(Kind::kStyle, "a", 3)->content, "3");
  EXPECT_EQ(store.save(Kind::kStyle, "a", "again", 0).record.version, kMost + 3) << "counted on";
  EXPECT_TRUE(store.find(Kind::kStyle, "b", 1));
  EXPECT_TRUE(store.find(Kind::kBody, "a", 1));
}

TEST_F(StoreTest, HoldsAtMostSoManyNames) {
  Store store(":memory:");
  for (std::size_t i = 0; i < Store::kMaxNames; ++i) {
    ASSERT_EQ(store.save(Kind::kStyle, "s" + std::to_string(i), "", 0).what, What::kDone);
  }
  EXPECT_EQ(store.save(Kind::kStyle, "one_more", "", 0).what, What::kFull);
  EXPECT_EQ(store.save(Kind::kStyle, "s3", "", 1).what, What::kDone) << "that one is there";
  EXPECT_EQ(store.save(Kind::kBody, "one_more", "", 0).what, What::kDone);
  store.remove(Kind::kStyle, "s7", std::nullopt);
  EXPECT_EQ(store.save(Kind::kStyle, "one_more", "", 0).what, What::kDone);
}

TEST_F(StoreTest, TwoProcessesShareAFile) {
  Store a(file), b(file);
  const auto before = b.foreign_changes();
  a.save(Kind::kStyle, "a", "one", 0);
  EXPECT_NE(b.foreign_changes(), before);
  EXPECT_EQ(b.in_force(Kind::kStyle).size(), 1u);
  EXPECT_EQ(b.save(Kind::kStyle, "a", "b's", 0).what, What::kConflict);
  const auto own = b.foreign_changes();
  EXPECT_EQ(b.save(Kind::kStyle, "a", "b's", 1).what, What::kDone);
  EXPECT_EQ(b.foreign_changes(), own);
}

TEST_F(StoreTest, FilesThatAreNoStoreAreRefusedAndLeftAlone) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << std::string(5000, 'x');
  EXPECT_THAT(error_of_opening(), HasSubstr("promenade.db"));
  EXPECT_THAT(error_of_opening(), HasSubstr("not a database"));
  EXPECT_EQ(std::filesystem::file_size(file), 5000u);
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_THAT(error_of_opening(), HasSubstr("cannot be opened"));
  file = "/proc/nowhere/promenade.db";
  EXPECT_THAT(error_of_opening(), HasSubstr("/proc/nowhere"));
}

TEST_F(StoreTest, ADamagedFileIsRefused) {
  {
    Store store(file);
    for (int i = 0; i < 200; ++i) {
      store.save(Kind::kStyle, "s" + std::to_string(i), std::string(3000, 'a'), 0);
    }
  }
  {
    std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
    bytes.seekp(8192);
    bytes << std::string(20000, '\xff');
  }
  EXPECT_THAT(error_of_opening(), HasSubstr("damaged"));
}

// The promise of a save that has returned, seen from inside: the writer is killed without warning
// at moments of its own, and all saves that it had told of are there.
TEST_F(StoreTest, WhatWasToldOfIsThereAfterAKill) {
  for (int round = 0; round < 5; ++round) {
    int channel[2];
    ASSERT_EQ(pipe(channel), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(channel[0]);
      Store store(file);
      const auto there = store.in_force(Kind::kStyle);
      std::uint32_t version = there.empty() ? 0 : there[0].version;
      for (;;) {
        version = store.save(Kind::kStyle, "a", std::string(10'000, 'v'), version).record.version;
        if (write(channel[1], &version, sizeof version) < 0) _exit(1);
      }
    }
    close(channel[1]);
    std::uint32_t told = 0, next = 0;
    for (int i = 0; i < 10 + 7 * round; ++i) {
      ASSERT_EQ(read(channel[0], &next, sizeof next), ssize_t(sizeof next));
      told = next;
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(channel[0], &next, sizeof next) == ssize_t(sizeof next)) told = next;
    close(channel[0]);
    const Store store(file);
    const auto there = store.in_force(Kind::kStyle);
    ASSERT_EQ(there.size(), 1u);
    EXPECT_GE(there[0].version, told);
    EXPECT_LE(there[0].version, told + 1) << "one may have been under way";
    EXPECT_EQ(store.versions(Kind::kStyle, "a").size(),
              std::min<std::size_t>(there[0].version, Store::kMaxVersions));
    EXPECT_EQ(there[0].content, std::string(10'000, 'v'));
  }
}

TEST_F(StoreTest, IsReadWhereThereIsNoRoomToOpenIt) {
  const pid_t child = fork();
  if (child == 0) {
    Store* store = new Store(file);  // not closed: what it saves stays in the log beside the file
    store->save(Kind::kStyle, "a", "one", 0);
    store->save(Kind::kStyle, "a", "two", 1);
    store->records().put("room", "lab", "a room");
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const auto log = std::filesystem::path(file.string() + "-wal");
  const auto log_bytes = std::filesystem::file_size(log);
  ASSERT_GT(log_bytes, 0u);
  {
    const auto copy = Store::copy_in_memory(file, "the disk is full");
    EXPECT_EQ(copy->closed(), "the disk is full");
    ASSERT_EQ(copy->in_force(Kind::kStyle).size(), 1u);
    EXPECT_EQ(copy->in_force(Kind::kStyle)[0].content, "two");
    EXPECT_EQ(copy->find(Kind::kStyle, "a", 1)->content, "one");
    ASSERT_EQ(copy->records().all("room").size(), 1u);
    const auto refused = [](const auto& change) {
      try {
        change();
      } catch (const StoreError& error) {
        return error.no_room && error.what() == std::string("the disk is full");
      }
      return false;
    };
    EXPECT_TRUE(refused([&] { copy->save(Kind::kStyle, "a", "three", 2); }));
    EXPECT_TRUE(refused([&] { copy->remove(Kind::kStyle, "a", 2); }));
    EXPECT_TRUE(refused([&] { copy->records().put("room", "lab", "x"); }));
    EXPECT_TRUE(refused([&] { copy->records().erase("room", "lab"); }));
  }
  EXPECT_EQ(std::filesystem::file_size(log), log_bytes) << "nothing was written";
  Store store(file);
  EXPECT_EQ(store.save(Kind::kStyle, "a", "three", 2).what, What::kDone);
}

TEST_F(StoreTest, IsEmptyInMemoryWhereThereIsNone) {
  EXPECT_TRUE(Store::copy_in_memory(file, "full")->in_force(Kind::kStyle).empty());
  std::filesystem::create_directories(file.parent_path());
  std::ofstream{file} << "something else entirely";
  EXPECT_THROW(Store::copy_in_memory(file, "full"), StoreError);
}

}  // namespace
}  // namespace promenade::store
