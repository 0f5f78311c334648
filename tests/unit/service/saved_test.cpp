#include "service/store/saved.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <sstream>

#include "stage.h"

namespace promenade::service {
namespace {

using store::Kind;
using ::testing::HasSubstr;
using world::CommandError;

struct Saved : ::testing::Test {
  Saved() {
    static int count = 0;
    std::string name = "promenade_saved_";
    name += std::to_string(getpid()) + '_' + std::to_string(count++);
    directory = std::filesystem::temp_directory_path() / name;
    file = directory / "promenade.db";
  }
  ~Saved() override { std::filesystem::remove_all(directory); }

  template <typename T, typename Ask>
  static std::variant<T, CommandError> answer(Ask ask) {
    std::promise<std::variant<T, CommandError>> promise;
    ask([&promise](std::variant<T, CommandError> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
  }
  static std::variant<v1::CatalogueEntry, CommandError> save(SavedDefinitions& saved,
                                                             const std::string& name,
                                                             double lean_deg,
                                                             std::uint32_t based_on) {
    v1::Style message;
    message.set_name(name);
    message.set_lean_deg(lean_deg);
    const auto style = std::get<0>(world::define_style(message, ""));
    return answer<v1::CatalogueEntry>(
        [&](auto reply) { saved.save(*style, based_on, std::move(reply)); });
  }

  void execute(const char* sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  std::filesystem::path directory, file;
};

TEST_F(Saved, ANameMeansTheNewestVersionFromTheAnswerOn) {
  SavedDefinitions saved(data(), file);
  EXPECT_FALSE(saved.find_style("mine"));
  std::atomic<int> changes = 0;
  saved.on_change([&changes] { ++changes; });
  for (std::uint32_t version = 1; version <= 3; ++version) {
    const auto entry = save(saved, "mine", 10 * version, version - 1);
    ASSERT_TRUE(std::holds_alternative<v1::CatalogueEntry>(entry));
    EXPECT_EQ(std::get<v1::CatalogueEntry>(entry).version(), version);
    ASSERT_TRUE(saved.find_style("mine"));
    EXPECT_EQ(saved.find_style("mine")->message.lean_deg(), 10 * version);
    EXPECT_EQ(saved.find_style("mine")->origin, world::Origin::kSaved);
  }
  EXPECT_EQ(changes, 3);
  EXPECT_THAT(saved.known_styles(), HasSubstr("mine"));
  EXPECT_EQ(saved.find_style("normal")->origin, world::Origin::kBuiltIn);
  const auto removed = answer<v1::CatalogueEntry>(
      [&](auto reply) { saved.remove(Kind::kStyle, "mine", std::nullopt, std::move(reply)); });
  EXPECT_TRUE(std::get<v1::CatalogueEntry>(removed).deleted());
  EXPECT_FALSE(saved.find_style("mine"));
  EXPECT_FALSE(find_entry(*saved.catalogue(), Kind::kStyle, "mine"));
}

TEST_F(Saved, VersionsSayWhatTheyAre) {
  SavedDefinitions saved(data(), file);
  const auto save_style = [&saved](const char* title, const char* description,
                                   std::uint32_t based_on) {
    v1::Style message;
    message.set_name("mine");
    message.set_title(title);
    message.set_description(description);
    const auto style = std::get<0>(world::define_style(message, ""));
    answer<v1::CatalogueEntry>([&](auto reply) { saved.save(*style, based_on, std::move(reply)); });
  };
  save_style("First", "As it was.", 0);
  save_style("", "", 1);
  answer<v1::CatalogueEntry>(
      [&](auto reply) { saved.remove(Kind::kStyle, "mine", 2, std::move(reply)); });
  const auto entries = std::get<0>(answer<v1::CatalogueList>([&](auto reply) {
                         saved.versions(Kind::kStyle, "mine", std::move(reply));
                       })).entries();
  ASSERT_EQ(entries.size(), 3);
  EXPECT_TRUE(entries[0].deleted());
  EXPECT_EQ(entries[0].title(), "");
  EXPECT_EQ(entries[1].title(), "mine") << "the name, as everywhere";
  EXPECT_EQ(entries[2].title(), "First");
  EXPECT_EQ(entries[2].description(), "As it was.");
  EXPECT_EQ(entries[2].version(), 1u);

  v1::Creature body;
  body.set_name("big");
  body.set_title("Big");
  body.set_color("#102030");
  body.set_base("human");
  body.mutable_edit()->set_scale(1.2);
  const auto made = std::get<0>(world::define_creature(body, saved, ""));
  auto told = std::get<0>(
      answer<v1::CatalogueEntry>([&](auto reply) { saved.save(*made, 0, std::move(reply)); }));
  EXPECT_EQ(told.controller(), "gbwc");
  EXPECT_EQ(told.body(), made->id);
  told.clear_controller();  // is told of what can be spawned, not of its versions, as the next
  told.clear_body();
  const auto listed = std::get<0>(answer<v1::CatalogueList>(
      [&](auto reply) { saved.versions(Kind::kBody, "big", std::move(reply)); }));
  EXPECT_EQ(listed.entries(0).SerializeAsString(), told.SerializeAsString());
  EXPECT_EQ(told.color(), "#102030");
  const auto record = std::get<0>(
      answer<v1::BodyRecord>([&](auto reply) { saved.find_version("big", 1, std::move(reply)); }));
  EXPECT_EQ(record.info().SerializeAsString(), told.SerializeAsString());
}

// Another program takes the table away, and gives it back.
TEST_F(Saved, AStoreThatFailsIsToldOfWhenItBeginsAndWhenItIsOver) {
  std::ostringstream log;
  const auto logger = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log)));
  {
    SavedDefinitions saved(data(), file);
    save(saved, "mine", 5, 0);
    const auto looks = [&saved](int times) {
      for (int i = 0; i < times; ++i) {
        saved.poll();
        // Comes after the look, as all that the store does.
        answer<v1::CatalogueList>(
            [&](auto reply) { saved.versions(Kind::kStyle, "nobody", std::move(reply)); });
      }
    };
    const auto lines = [&log](const std::string& text) {
      const std::string all = log.str();
      int count = 0;
      for (auto at = all.find(text); at != all.npos; at = all.find(text, at + 1)) ++count;
      return count;
    };
    looks(3);
    execute("ALTER TABLE definitions RENAME TO elsewhere");
    looks(5);
    EXPECT_EQ(lines("cannot see what other servers save"), 1) << log.str();
    EXPECT_EQ(lines("can be read again"), 0);
    EXPECT_TRUE(saved.find_style("mine")) << "what was known stays";
    execute("ALTER TABLE elsewhere RENAME TO definitions");
    execute("UPDATE definitions SET content = replace(content, '5', '9')");
    looks(5);
    EXPECT_EQ(lines("cannot see what other servers save"), 1) << log.str();
    EXPECT_EQ(lines("can be read again"), 1) << log.str();
    EXPECT_EQ(saved.find_style("mine")->message.lean_deg(), 9) << "seen after all";
  }
  spdlog::set_default_logger(logger);
}

TEST_F(Saved, WhatCannotBeUsedIsLeftOutAndKept) {
  {
    store::Store store(file);
    store.save(Kind::kStyle, "normal", R"({"definition": {"name": "normal"}})", 0);
    store.save(Kind::kStyle, "odd", R"({"definition": {"name": "odd", "lean_deg": 80}})", 0);
    store.save(Kind::kStyle, "torn", R"({"definition": {"na)", 0);
    store.save(Kind::kStyle, "later", R"({"definition": {"name": "later", "wings": 2}})", 0);
    store.save(Kind::kBody, "bodiless", R"({"definition": {"name": "bodiless"}})", 0);
    store.save(Kind::kStyle, "good", R"({"definition": {"name": "good", "lean_deg": 8}})", 0);
  }
  {
    SavedDefinitions saved(data(), file);
    EXPECT_EQ(saved.find_style("good")->message.lean_deg(), 8);
    EXPECT_EQ(saved.find_style("normal")->origin, world::Origin::kBuiltIn);
    for (const char* name : {"odd", "torn", "later"}) EXPECT_FALSE(saved.find_style(name)) << name;
    EXPECT_FALSE(saved.find_creature("bodiless"));
    EXPECT_EQ(saved.catalogue()->styles_size(), int(data()->styles().size()) + 1);
  }
  const store::Store store(file);
  EXPECT_EQ(store.in_force(Kind::kStyle).size(), 5u);
  EXPECT_EQ(store.find(Kind::kStyle, "torn", 1)->content, R"({"definition": {"na)");
}

TEST_F(Saved, WhatIsWaitingIsDoneBeforeTheEndAndNothingAfterIt) {
  SavedDefinitions saved(data(), file);
  v1::Style message;
  std::atomic<int> done = 0, refused = 0;
  const auto reply = [&](const std::variant<v1::CatalogueEntry, CommandError>& result) {
    ++(std::holds_alternative<v1::CatalogueEntry>(result) ? done : refused);
  };
  for (int i = 0; i < 20; ++i) {
    message.set_name("s" + std::to_string(i));
    saved.save(*std::get<0>(world::define_style(message, "")), 0, reply);
  }
  saved.stop();
  EXPECT_EQ(done, 20);
  saved.save(*std::get<0>(world::define_style(message, "")), 1, reply);
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(store::Store(file).in_force(Kind::kStyle).size(), 20u);
}

}  // namespace
}  // namespace promenade::service
