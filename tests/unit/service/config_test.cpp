#include "service/serve/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace promenade::service {
namespace {

using ::testing::HasSubstr;

ServeConfig parse(std::vector<std::string> arguments) {
  CLI::App command;
  ServeConfig config;
  add_serve_options(command, config);
  name_variables(command, "PROMENADE_");
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  command.parse(arguments);
  return config;
}

std::string error_of(const std::vector<std::string>& arguments) {
  try {
    const ServeConfig config = parse(arguments);
    rooms_of(config);
    tokens_of(config);
    server_settings_of(config);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

TEST(ServeConfig, ServesThePlazaOnThisMachineByDefault) {
  const ServeConfig config = parse({});
  const auto rooms = rooms_of(config);
  ASSERT_EQ(rooms.size(), 1u);
  EXPECT_EQ(rooms[0].id, "main");
  EXPECT_EQ(rooms[0].scene, "plaza");
  const net::ServerSettings settings = server_settings_of(config);
  EXPECT_EQ(settings.port, 8080);
  EXPECT_EQ(settings.limits.max_connections, 512u);
  EXPECT_TRUE(settings.hosts.loopback_only);
  EXPECT_EQ(tokens_of(config).guest(), api::Role::kAdmin);
  EXPECT_GE(runner_settings_of(config, rooms[0]).room.threads, 1);
}

TEST(ServeConfig, KeepsWhatIsSavedWhereTheUsersDataBelongs) {
  const std::string home = "/home/someone", data = "/var/data";
  unsetenv("PROMENADE_STORE");
  unsetenv("XDG_DATA_HOME");
  setenv("HOME", home.c_str(), 1);
  EXPECT_EQ(store_file_of(parse({})), home + "/.local/share/promenade/promenade.db");
  setenv("XDG_DATA_HOME", data.c_str(), 1);
  EXPECT_EQ(store_file_of(parse({})), data + "/promenade/promenade.db");
  setenv("XDG_DATA_HOME", "not/absolute", 1);
  EXPECT_EQ(store_file_of(parse({})), home + "/.local/share/promenade/promenade.db");
  EXPECT_EQ(store_file_of(parse({"--store", "here.db"})), "here.db");
  EXPECT_EQ(store_file_of(parse({"--store", ":memory:"})), ":memory:");
  unsetenv("XDG_DATA_HOME");
}

TEST(ServeConfig, NamesABadSettingItsValueAndItsRange) {
  for (const auto& [arguments, parts] :
       std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>{
           {{"--port", "70000"}, {"--port", "70000", "65535"}},
           {{"--port", "many"}, {"--port", "many", "65535"}},
           {{"--tick-rate", "5"}, {"--tick-rate: 5 is not allowed", "from 10 to 1000"}},
           {{"--tick-rate", "60.5"}, {"--tick-rate: 60.5", "a whole number from 10 to 1000"}},
           {{"--command-rate", "nan"}, {"--command-rate: nan", "a number from 1 to 10000"}},
           {{"--seed", "-4"}, {"--seed: -4 is not allowed", "from 0 to 18446744073709551615"}},
           {{"--seed", "2.5"}, {"--seed: 2.5", "a whole number"}},
           {{"--seed", "18446744073709551616"}, {"--seed: 18446744073709551616", "a whole number"}},
           {{"--guest-role", "king"}, {"--guest-role", "king", "viewer"}},
           {{"--host", "http://a"}, {"--host", "\"http://a\"", "walk.example.org"}},
           {{"--host", "a:80"}, {"--host", "\"a:80\"", "without a port"}},
           {{"--trusted-proxy", "10.0.0.0/40"}, {"--trusted-proxy", "10.0.0.0/40", "network"}},
           {{"--max-per-ip", "-1"}, {"--max-per-ip", "-1"}},
           {{"--room", "a"}, {"--room", "\"a\"", "ID:SCENE"}},
           {{"--room", "a:b,a:c"}, {"--room", "\"a\"", "twice"}},
           {{"--room", "../x:square"}, {"--room", "../x"}},
           {{"--token", "admin:short"}, {"--token", "8 to 256"}},
           {{"--token", "king:long-enough"}, {"--token", "viewer, player, operator, admin"}},
           {{"--journal-segment-mb", "0"}, {"--journal-segment-mb: 0", "from 1 to 1000"}},
           {{"--max-load", "1.5"}, {"--max-load: 1.5", "from 0 to 1"}},
           {{"--sleep-after", "-1"}, {"--sleep-after: -1", "from 0 to"}},
           {{"--prot", "1"}, {"--prot"}}}) {
    const std::string error = error_of(arguments);
    for (const std::string& part : parts) EXPECT_THAT(error, HasSubstr(part));
  }
  EXPECT_EQ(error_of({"--token", "admin:sesame-open"}), "");
  EXPECT_EQ(parse({"--seed", "18446744073709551615"}).seed, ~std::uint64_t{0});
  EXPECT_THAT(error_of({"--seed", "010"}), HasSubstr("--seed: 010 is not allowed"));
  EXPECT_EQ(error_of({"--token", "admin:sesame"}).find("sesame"), std::string::npos)
      << "secrets stay out of messages";
}

TEST(ServeConfig, TakesRoomsTokensAndOrigins) {
  const ServeConfig config = parse({"--room", "a:square,b:one", "--token", "operator:0123456789",
                                    "--token", "admin:9876543210", "--guest-role", "viewer",
                                    "--origin", "https://example.org", "--address", "0.0.0.0"});
  const auto rooms = rooms_of(config);
  ASSERT_EQ(rooms.size(), 2u);
  EXPECT_EQ(rooms[1].id, "b");
  EXPECT_EQ(rooms[1].scene, "one");
  const api::Tokens tokens = tokens_of(config);
  EXPECT_EQ(tokens.guest(), api::Role::kViewer);
  EXPECT_EQ(tokens.find("0123456789")->role, api::Role::kOperator);
  EXPECT_EQ(tokens.find("9876543210")->role, api::Role::kAdmin);
  const net::ServerSettings settings = server_settings_of(config);
  EXPECT_TRUE(settings.origins.allows("https://example.org", "elsewhere"));
  EXPECT_FALSE(settings.hosts.loopback_only);
}

TEST(ServeConfig, LetsGuestsOnlyWatchBeyondThisMachineUnlessToldOtherwise) {
  for (const char* address : {"0.0.0.0", "::", "192.0.2.7"}) {
    EXPECT_EQ(tokens_of(parse({"--address", address})).guest(), api::Role::kViewer) << address;
  }
  EXPECT_EQ(tokens_of(parse({"--address", "0.0.0.0", "--guest-role", "operator"})).guest(),
            api::Role::kOperator);
  EXPECT_EQ(tokens_of(parse({"--address", "::1"})).guest(), api::Role::kAdmin);
  EXPECT_EQ(tokens_of(parse({"--host", "a.example"})).guest(), api::Role::kViewer)
      << "behind a proxy on this machine";
}

TEST(ServeConfig, TakesNamesAndProxies) {
  const net::ServerSettings settings = server_settings_of(
      parse({"--host", "a.example,b", "--trusted-proxy", "127.0.0.1,10.0.0.0/8"}));
  EXPECT_EQ(settings.hosts.names, (std::vector<std::string>{"a.example", "b"}));
  EXPECT_TRUE(settings.proxies.contains(boost::asio::ip::make_address("10.1.2.3")));
}

TEST(ServeConfig, ReadsTheEnvironmentWhereNoFlagIsGiven) {
  setenv("PROMENADE_PORT", "9001", 1);
  setenv("PROMENADE_TOKEN", "viewer:aaaaaaaa,admin:bbbbbbbb", 1);
  const ServeConfig from_environment = parse({});
  const ServeConfig from_flag = parse({"--port", "9002"});
  setenv("PROMENADE_PORT", "-4", 1);
  const std::string error = error_of({});
  unsetenv("PROMENADE_PORT");
  unsetenv("PROMENADE_TOKEN");
  EXPECT_EQ(from_environment.port, 9001);
  EXPECT_EQ(from_environment.tokens.size(), 2u);
  EXPECT_EQ(from_flag.port, 9002);
  EXPECT_THAT(error, HasSubstr("65535"));
}

}  // namespace
}  // namespace promenade::service
