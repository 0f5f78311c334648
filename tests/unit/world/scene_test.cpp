#include "world/scene/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "creature/biped/biped_names.h"
#include "support/paths.h"
#include "world/scene/demonstration.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;

struct BadScene {
  const char* json;  // starts on line 2 of the file
  int line;
  const char* key;
  const char* allowed;
};

/// Two people and a camera, up to its first shot on line 3.
#define kShots                                                                   \
  "\"characters\": [{\"body\": \"human\"}, {\"body\": \"child\"}], \"camera\": " \
  "{\"from_m\": [1, 2, 3], \"at_m\": [0, 0, 0], \"shots\": [\n"

class BadScenes : public ::testing::TestWithParam<BadScene> {};

TEST_P(BadScenes, AreRefusedWithFileLineAndKey) {
  const auto library = library_with({{"wrong", GetParam().json}});
  ASSERT_FALSE(library.ok());
  EXPECT_THAT(library.error().file, HasSubstr("wrong.json"));
  EXPECT_EQ(library.error().line, GetParam().line) << library.error().text();
  EXPECT_EQ(library.error().key, GetParam().key) << library.error().text();
  EXPECT_THAT(library.error().text(), HasSubstr(GetParam().allowed));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadScenes,
    ::testing::Values(
        BadScene{"\"colour\": \"red\"", 2, "colour", ""},
        BadScene{"\"friction\": 3", 2, "friction", "0 to 2"},
        BadScene{"\"seed\": 1,\n\"get_up_delay_s\": 4000", 3, "get_up_delay_s", "3600"},
        BadScene{"\"blocks\": [\n{\"center_m\": [0, 0]}]", 3, "blocks[0].center_m", "3"},
        BadScene{"\"blocks\": [{\"center_m\": [0, 0, 1],\n\"size_m\": [1, -1, 1]}]", 3,
                 "blocks[0].size_m[1]", "0.001 to 500 m"},
        BadScene{"\"blocks\": [{\"center_m\": [0, 0, 1], \"size_m\": [1, 1, 1],\n"
                 "\"color\": \"red\"}]",
                 3, "blocks[0].color", "#"},
        BadScene{"\"characters\": [\n{\"body\": \"dragon\"}]", 3, "characters[0].body", "human"},
        BadScene{"\"characters\": [{\"body\": \"human\",\n\"style\": \"moonwalk\"}]", 3,
                 "characters[0].style", "normal"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"scatter_m\": -1}]", 2,
                 "characters[0].scatter_m", "0 to 100 m"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"scatter_deg\": 200}]", 2,
                 "characters[0].scatter_deg", "0 to 180 degrees"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"speed_mps\": 9}]", 2,
                 "characters[0].speed_mps", "-3 to 3 m/s"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"speed_mps\": 1,\n"
                 "\"wander\": {\"radius_m\": 4}}]",
                 3, "characters[0].wander", "one of speed_mps, path, wander and order"},
        BadScene{"\"demonstration\": [{\"say\": \"Look\"},\n"
                 "{\"subject\": {\"body\": \"dragon\"}}]",
                 3, "demonstration[1].subject.body", "human"},
        BadScene{"\"demonstration\": [{\"overlays\": [\"COM\",\n\"XRAY\"]}]", 3,
                 "demonstration[0].overlays[1]", "NAMES"},
        BadScene{"\"demonstration\": [{\"look\": {\"side\": \"below\"}}]", 2,
                 "demonstration[0].look.side", "front"},
        BadScene{"\"demonstration\": [{\"command\": {\"stop\": {\"character\": 2}}}]", 2,
                 "demonstration[0].command.stop.character", "it is the subject"},
        BadScene{"\"demonstration\": [{\"command\": {\"remove\": {}}}]", 2,
                 "demonstration[0].command.remove", "set_velocity"},
        BadScene{"\"demonstration\": [{\"command\": {\"set_velocity\": {\"x_mps\": 9}}}]", 2,
                 "demonstration[0].command.set_velocity.x_mps", "-3 to 3 m/s"},
        BadScene{"\"demonstration\": [{\"shove\": {\"body_weights\": 9}}]", 2,
                 "demonstration[0].shove.body_weights", "0.01 to 5"},
        BadScene{"\"demonstration\": [{\"until\": {\"event\": \"FALL\"}}]", 2,
                 "demonstration[0].until.within_s", "0.1 to 60 s"},
        BadScene{"\"demonstration\": [{\"again\": {\"speed\": 2}}]", 2,
                 "demonstration[0].again.speed", "0.1 to 1"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"path\": {}}]", 2,
                 "characters[0].path.points", "1 to 256"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"wander\": {\"radius_m\": 0.5}}]", 2,
                 "characters[0].wander.radius_m", "1 to 200 m, or 0 for 8 m"},
        BadScene{"\"characters\": [{\"body\": \"human\",\n\"order\": {}}]", 3,
                 "characters[0].order", "one of follow_path, set_wander"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"order\": {\"set_wander\": {\n"
                 "\"radius_m\": 300}}}]",
                 3, "characters[0].order.set_wander.radius_m", "1 to 200 m, or 0 for 8 m"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"order\": {\"set_wander\": {\n"
                 "\"character\": 1}}}]",
                 3, "characters[0].order.set_wander.character", "nothing: it is who stands here"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"order\": {\n\"reset\": {}}}]", 3,
                 "characters[0].order.reset", "one of follow_path, set_wander"},
        BadScene{"\"characters\": [{\"body\": \"human\", \"position_m\": [1]}]", 2,
                 "characters[0].position_m", "2"},
        BadScene{"\"characters\": [{\"body\": \"human\",\n\"controller\": \"swim\"}]", 3,
                 "characters[0].controller", "one of gbwc, pendulum, hold, limp, rise, posegraph"},
        BadScene{"\"characters\": [{\"body\": \"cat\",\n\"controller\": \"gbwc\"}]", 3,
                 "characters[0].controller", "one of hold, limp, posegraph, which can drive a cat"},
        BadScene{"\"characters\": [{\"body\": \"human\"},\n{\"body\": \"cat\", \"speed_mps\": 1}]",
                 3, "characters[1]", "its controller, hold, does not walk"},
        BadScene{"\"crowds\": [{\"count\": 0, \"radius_m\": 5}]", 2, "crowds[0].count",
                 "1 to 10000"},
        BadScene{"\"crowds\": [{\"count\": 5}]", 2, "crowds[0].radius_m", "1 to 200 m"},
        BadScene{"\"crowds\": [{\"count\": 5, \"radius_m\": 5, \"bodies\": [\"human\",\n"
                 "\"dragon\"]}]",
                 3, "crowds[0].bodies[1]", "child"},
        BadScene{"\"crowds\": [{\"count\": 6000, \"radius_m\": 50}, {\"count\": 6000, "
                 "\"radius_m\": 50}]",
                 2, "crowds", "up to 10000"},
        BadScene{"\"characters\": [{\"body\": \"human\"}], \"script\": [\n"
                 "{\"at_s\": 1, \"command\": {\"push\": {\"character\": 1,\n"
                 "\"force_n\": [1, 2]}}}]",
                 4, "script[0].command.push.force_n", "3 numbers"},
        BadScene{"\"characters\": [{\"body\": \"human\"}], \"script\": [\n"
                 "{\"at_s\": 1, \"command\": {\"stop\": {\"character\": 2}}}]",
                 3, "script[0].command.stop.character",
                 "1, the only character or thing of the scene"},
        BadScene{"\"characters\": [{\"body\": \"human\"}], \"script\": [\n"
                 "{\"at_s\": 1, \"command\": {\"push\": {\"character\": 1, \"link\": \"tail\", "
                 "\"force_n\": [1, 2, 3]}}}]",
                 3, "script[0].command.push.link", "pelvis"},
        BadScene{"\"script\": [{\"at_s\": 1, \"command\": {\"pause\": {}}}]", 2,
                 "script[0].command.pause", "a command to characters"},
        BadScene{"\"script\": [{\"at_s\": -1, \"command\": {\"reset\": {}}}]", 2, "script[0].at_s",
                 "0 to 86400 s"},
        BadScene{"\"script\": [{\"at_s\": 5, \"command\": {\"reset\": {}}}],\n"
                 "\"script_period_s\": 2",
                 3, "script_period_s", "5 to 86400 s"},
        BadScene{"\"camera\": {\"from_m\": [1, 2, 3], \"at_m\": [0]}", 2, "camera.at_m", "3"},
        BadScene{"\"camera\": {\"from_m\": [1, 2, 3], \"at_m\": [1, 2, 3]}", 2, "camera.at_m",
                 "another place"},
        BadScene{kShots "{\"subjects\": [3]}]}", 3, "camera.shots[0].subjects[0]", "1 to 2"},
        BadScene{kShots "{\"subjects\": [0]}]}", 3, "camera.shots[0].subjects[0]", "1 to 2"},
        BadScene{kShots "{}]}", 3, "camera.shots[0]", "`subjects`, `box_m` or both"},
        BadScene{kShots "{\"at_s\": 1, \"subjects\": [1]}]}", 3, "camera.shots[0].at_s", "0 s"},
        BadScene{kShots "{\"subjects\": [1]}, {\"at_s\": 5, \"subjects\": [1]},\n"
                        "{\"at_s\": 4, \"subjects\": [1]}]}",
                 4, "camera.shots[2].at_s", "5 to 86400 s"},
        BadScene{kShots "{\"box_m\": [0, 0, 0, 1, 1]}]}", 3, "camera.shots[0].box_m", "6"},
        BadScene{kShots "{\"box_m\": [0, 0, 0, 1, -1, 1]}]}", 3, "camera.shots[0].box_m[4]",
                 "0.001 to"},
        BadScene{kShots "{\"subjects\": [1], \"around_deg\": 400}]}", 3,
                 "camera.shots[0].around_deg", "-360 to 360 degrees"},
        BadScene{kShots "{\"subjects\": [1], \"up_deg\": -1}]}", 3, "camera.shots[0].up_deg",
                 "0 to 85 degrees"},
        BadScene{kShots "{\"subjects\": [1], \"fill\": 1.2}]}", 3, "camera.shots[0].fill",
                 "0.1 to 0.95"},
        BadScene{kShots "{\"subjects\": [1], \"least\": 0.01}]}", 3, "camera.shots[0].least",
                 "0.02 to 0.9"},
        BadScene{kShots "{\"subjects\": [1], \"lead_s\": 4}]}", 3, "camera.shots[0].lead_s",
                 "0 to 3 s"},
        BadScene{kShots "{\"subjects\": [1]}, {\"at_s\": 9, \"subjects\": [1]}],\n"
                        "\"period_s\": 8}",
                 4, "camera.period_s", "9 to 86400 s"},
        BadScene{"\"blocks\": [{\"center_m\": [0, 0, 1], \"size_m\": [1, 1, 1],\n"
                 "\"material\": {\"friction\": -0.1}}]",
                 3, "blocks[0].material.friction", "0 to 2"},
        BadScene{"\"restitution\": 1.5", 2, "restitution", "0 to 1"},
        BadScene{"\"stiffness_npm\": 10", 2, "stiffness_npm", "1000 to 1000000 N/m"},
        BadScene{"\"blocks\": [{\"center_m\": [0, 0, 1], \"size_m\": [1, 1, 1],\n"
                 "\"motion\": {\"path_m\": [1, 2]}}]",
                 3, "blocks[0].motion.path_m", "3 for each centre"},
        BadScene{"\"blocks\": [{\"center_m\": [0, 0, 1], \"size_m\": [1, 1, 1],\n"
                 "\"motion\": {\"path_m\": [0, 0, 2]}}]",
                 3, "blocks[0].motion.speed_mps", "0.001 to 10 m/s"},
        BadScene{"\"blocks\": [{\"center_m\": [0, 0, 1], \"size_m\": [1, 1, 1],\n"
                 "\"motion\": {}}]",
                 3, "blocks[0].motion", "path_m, spin_dps or surface_mps"},
        BadScene{"\"no_plane\": true,\n\"pits\": [{\"center_m\": [0, 0], \"size_m\": [1, 1]}]", 3,
                 "pits", "none when no_plane is true"},
        BadScene{"\"pits\": [{\"center_m\": [0, 0], \"size_m\": [1, 0]}]", 2, "pits[0].size_m[1]",
                 "0.001 to 500 m"},
        BadScene{"\"patches\": [{\"center_m\": [0, 0], \"size_m\": [1, 1]}]", 2,
                 "patches[0].material", "friction and restitution"},
        BadScene{"\"height_fields\": [{\"center_m\": [0, 0, 0], \"size_m\": [1, 1],\n"
                 "\"columns\": 2, \"rows\": 2, \"height_m\": [0, 1, 2]}]",
                 3, "height_fields[0].height_m", "4"},
        BadScene{"\"height_fields\": [{\"center_m\": [0, 0, 0], \"size_m\": [1, 1]}]", 2,
                 "height_fields[0]", "one of height_m, waves and file"},
        BadScene{"\"height_fields\": [{\"center_m\": [0, 0, 0], \"size_m\": [1, 1],\n"
                 "\"file\": \"../one.json\"}]",
                 3, "height_fields[0].file", "is not a file name"},
        BadScene{
            "\"script\": [{\"at_s\": 1,\n"
            "\"command\": {\"grip\": {\"b\": {\"id\": 1}}}}]",
            3, "script[0].command.grip.b.id",
            "1 is not allowed, must be none, because the scene has no characters and no things"},
        BadScene{"\"characters\": [{\"body\": \"human\"}],\n"
                 "\"script\": [{\"command\": {\"tie\": {\"tie\": {\"kind\": \"BALL\","
                 "\"a\": {\"id\": 2}, \"b\": {\"id\": 1}}}}}]",
                 3, "script[0].command.tie.tie.a.id",
                 "2 is not allowed, must be 1, the only character or thing of the scene"},
        BadScene{"\"characters\": [{\"body\": \"human\"}, {\"body\": \"human\"}],\n"
                 "\"script\": [{\"command\": {\"stop\": {\"character\": 3}}}]",
                 3, "script[0].command.stop.character",
                 "3 is not allowed, must be 1 to 2, counting"},
        BadScene{"\"characters\": [{\"body\": \"human\"}, {\"body\": \"human\"}],\n"
                 "\"ties\": [{\"kind\": \"BALL\", \"a\": {\"id\": 1}, \"b\": {\"id\": 3}}]",
                 3, "ties[0].b.id", "3 is not allowed, must be 1 to 2, counting"}));

TEST(Scene, AFilesNameIsItsScenesName) {
  const TemporaryDirectory directory;
  for (const char* folder : {"creatures", "styles", "controllers"}) {
    std::filesystem::copy(test::data_dir() / folder, directory.path() / folder,
                          std::filesystem::copy_options::recursive);
  }
  std::filesystem::copy(test::data_dir() / "tasks.json", directory.path() / "tasks.json");
  directory.write("scenes/a.json", "{\n \"name\": \"b\"}");
  const auto library = Library::load(directory.path());
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().line, 2);
  EXPECT_EQ(library.error().key, "name");
}

TEST(Scene, AnOrderIsTheCommandThatGivesIt) {
  const auto with = [](const std::string& told) {
    return R"("characters": [{"body": "human", "position_m": [1, 2], )" + told + "}]";
  };
  const auto library = library_with({
      {"path", with(R"("path": {"points": [{"x_m": 4}, {"y_m": 3}], "closed": true})")},
      {"follow_path", with(R"("order": {"follow_path": {"path":
          {"points": [{"x_m": 4}, {"y_m": 3}], "closed": true}}})")},
      {"wander", with(R"("wander": {"radius_m": 5})")},
      {"set_wander", with(R"("order": {"set_wander": {"radius_m": 5}})")},
  });
  ASSERT_TRUE(library.ok()) << library.error().text();
  for (const auto& [shorter, order] :
       {std::pair{"path", "follow_path"}, {"wander", "set_wander"}}) {
    Room one(*library, settings_for(shorter)), other(*library, settings_for(order));
    for (Room* room : {&one, &other}) {
      run(*room, 2);
      ASSERT_FALSE(room->apply(Reset{1}).error);
      run(*room, 1);
    }
    const auto way = [](const Room& room) {
      const auto points = room.snapshot()->path_of(0);
      return std::vector<Vec2>(points.begin(), points.end());
    };
    EXPECT_FALSE(way(one).empty()) << shorter;
    EXPECT_EQ(way(one), way(other)) << shorter;
  }
}

TEST(Scene, CrowdsDealAllBodiesAndStyles) {
  const auto library = library_with({{"many", R"("crowds": [{"count": 216, "radius_m": 40}])"}});
  ASSERT_TRUE(library.ok()) << library.error().text();
  Room room(*library, settings_for("many"));
  std::set<std::pair<int, std::string>> pairs;
  const auto roster = room.snapshot()->roster;
  for (const RosterEntry& e : roster->entries) pairs.insert({e.body, e.style});
  EXPECT_EQ(pairs.size(), biped_names((*library)->bodies()).size() * (*library)->styles().size());
}

struct OwnScenes : ::testing::Test {
  std::shared_ptr<const Library> library = [] {
    auto loaded = Library::load(test::data_dir());
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
};

TEST_F(OwnScenes, AreAllThereAndSayWhatToLookFor) {
  EXPECT_EQ(library->scene_names().front(), "plaza");
  for (const char* name : {"square", "one", "push-lab", "bodies", "styles", "steps", "ice",
                           "ground", "zoo", "gait-lab"}) {
    const auto scene = library->find_scene(name);
    ASSERT_TRUE(scene) << name;
    EXPECT_FALSE(scene->message.title().empty()) << name;
    EXPECT_FALSE(scene->message.description().empty()) << name;
    EXPECT_FALSE(scene->message.hint().empty()) << name;
    EXPECT_TRUE(scene->message.has_camera()) << name;
  }
  EXPECT_EQ(library->find_scene("square")->character_count(), 24);
}

TEST_F(OwnScenes, SayWhatTheCameraShows) {
  for (const std::string& name : library->scene_names()) {
    const v1::Camera& camera = library->find_scene(name)->message.camera();
    EXPECT_GT(camera.shots_size(), 0) << name;
  }
}

TEST_F(OwnScenes, ShowEveryBodyAndEveryStyleOnce) {
  const auto bodies = library->find_scene("bodies"), styles = library->find_scene("styles");
  std::multiset<std::string> seen_bodies, seen_styles;
  for (const CharacterPlan& plan : bodies->characters) seen_bodies.insert(plan.body);
  for (const CharacterPlan& plan : styles->characters) seen_styles.insert(plan.style);
  EXPECT_THAT(seen_bodies, ::testing::ElementsAreArray(biped_names(library->bodies())));
  EXPECT_THAT(seen_styles, ::testing::ElementsAreArray(library->styles().names()));
  std::set<std::string> in_square_bodies, in_square_styles;
  Room room(library, settings_for("square"));
  const auto roster = room.snapshot()->roster;
  for (const RosterEntry& e : roster->entries) {
    in_square_bodies.insert(roster->bodies[std::size_t(e.body)]->name);
    in_square_styles.insert(e.style);
  }
  EXPECT_EQ(in_square_bodies.size(), biped_names(library->bodies()).size());
  in_square_styles.insert("careful");  // is for slippery ground
  EXPECT_EQ(in_square_styles.size(), library->styles().size());
}

TEST_F(OwnScenes, ShowWhatToTry) {
  for (const std::string& name : library->scene_names()) {
    EXPECT_GT(library->find_scene(name)->message.demonstration_size(), 2) << name;
  }
}

TEST(Demonstrations, HaveShortSentencesOfLettersNotBytes) {
  const auto with = [](const std::string& sentence) {
    return library_with({{"told", "\"demonstration\": [{\"say\": \"" + sentence + "\"}]"}});
  };
  std::string fits, over;
  for (int i = 0; i < kLongestSentence; ++i) fits += "\xC3\xA9";  // e with an acute accent
  over = fits + "e";
  EXPECT_TRUE(with(fits).ok());
  ASSERT_FALSE(with(over).ok());
  EXPECT_EQ(with(over).error().key, "demonstration[0].say");
}

TEST_F(OwnScenes, OnlyHighBlocksAreWalkedAround) {
  EXPECT_FALSE(library->find_scene("square")->obstacles.empty());
  EXPECT_TRUE(library->find_scene("steps")->obstacles.empty());
  EXPECT_GT(library->find_scene("steps")->ground->blocks().size(), 3u);
}

}  // namespace
}  // namespace promenade::world
