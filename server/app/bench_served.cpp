#include "app/bench_served.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "net/socket/socket_client.h"
#include "promenade/v1/wire.pb.h"
#include "study/bench/rig.h"
#include "world/command/command_codec.h"

namespace promenade::app {
namespace {

constexpr int kWalkers = 100;
constexpr int kTicksPerSecond = 60;
constexpr double kFramesPerSecond = 30;

/// `promenade serve` in a process of its own, on a free port, with one thread for the room.
class ServerProcess {
 public:
  explicit ServerProcess(const std::filesystem::path& data_dir) {
    int output[2];
    if (pipe2(output, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to the server");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<std::string> words{"promenade",  "serve",    "--port",       "0",
                                   "--scene",    "one",      "--threads",    "1",
                                   "--store",    ":memory:", "--guest-role", "admin",
                                   "--max-load", "0",        "--data",       data_dir.string()};
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failed =
        posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    if (failed) {
      close(output[0]);
      throw std::runtime_error("the server to measure cannot be started");
    }
    const std::string line = first_line(output[0]);
    close(output[0]);
    const auto colon = line.rfind(':');
    if (line.find("http://") == line.npos) {
      stop();
      throw std::runtime_error("the server to measure does not say where it is: \"" + line + "\"");
    }
    port_ = std::uint16_t(std::stoi(line.substr(colon + 1)));
  }
  ~ServerProcess() { stop(); }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::uint16_t port() const { return port_; }
  /// CPU seconds of all its threads so far.
  double cpu_s() const {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0) {
      throw std::runtime_error("the server that was measured has gone");
    }
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }

 private:
  static std::string first_line(int file) {
    std::string line;
    char one = 0;
    while (read(file, &one, 1) == 1 && one != '\n') line += one;
    return line;
  }
  void stop() {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }

  pid_t process_ = 0;
  std::uint16_t port_ = 0;
};

/// A viewer that gets frames and commands the room.
class BenchViewer {
 public:
  explicit BenchViewer(std::uint16_t port) : socket_(port, "/ws", "promenade.v1") {
    v1::ClientMessage message;
    message.mutable_join()->set_client("bench");
    message.mutable_join()->set_rate_hz(kFramesPerSecond);
    send(message);
  }
  /// @return the id of the character that it spawned, if it did
  world::CharacterId command(const world::Command& command) {
    v1::ClientMessage message;
    *message.mutable_command() = world::command_to_proto(command);
    return answered(message);
  }
  void watch(world::CharacterId character) {
    v1::ClientMessage message;
    message.mutable_watch()->add_characters(character);
    answered(message);
  }
  /// Waits for a frame of this tick or a later one. @return its tick
  std::uint64_t until(std::uint64_t tick) {
    while (true) {
      const v1::ServerMessage message = receive();
      if (message.kind_case() == v1::ServerMessage::kFrame && message.frame().tick() >= tick) {
        return message.frame().tick();
      }
    }
  }
  std::uint64_t bytes() const { return bytes_; }
  int details() const { return details_; }
  int dropped() const { return dropped_; }

 private:
  void send(v1::ClientMessage& message) {
    message.set_seq(++seq_);
    socket_.send(message.SerializeAsString());
  }
  world::CharacterId answered(v1::ClientMessage& message) {
    send(message);
    while (true) {
      const v1::ServerMessage reply = receive();
      if (reply.kind_case() == v1::ServerMessage::kError) {
        if (reply.error().code() == v1::RATE_LIMITED) {  // quicker than the server allows
          std::this_thread::sleep_for(std::chrono::milliseconds(200));
          send(message);
          continue;
        }
        throw std::runtime_error("the server to measure: " + reply.error().message());
      }
      if (reply.kind_case() == v1::ServerMessage::kAck && reply.ack().seq() == seq_) {
        return reply.ack().character();
      }
    }
  }
  v1::ServerMessage receive() {
    const std::string received = socket_.receive();
    bytes_ += received.size();
    v1::ServerMessage message;
    if (!message.ParseFromString(received)) {
      throw std::runtime_error("the server to measure sent what is no message");
    }
    details_ += message.kind_case() == v1::ServerMessage::kDetails;
    if (message.kind_case() == v1::ServerMessage::kFrame) dropped_ = int(message.frame().dropped());
    return message;
  }

  net::SocketClient socket_;
  std::uint64_t seq_ = 0, bytes_ = 0;
  int details_ = 0, dropped_ = 0;
};

}  // namespace

void bench_served(study::BenchPlan& plan, const std::filesystem::path& data_dir) {
  if (!plan.wants("walkers-a-core-served")) return;
  plan.now("100 walkers behind a server");
  const ServerProcess server(data_dir);
  BenchViewer viewer(server.port());
  world::CharacterId watched = 0;
  for (int i = 0; i < kWalkers; ++i) {
    study::CrowdWalker walker = study::crowd_walker(*plan.library, i);
    walker.round.character = viewer.command(walker.spawn);
    viewer.command(walker.round);
    if (i == 0) watched = walker.round.character;
  }
  viewer.command(world::Remove{1});  // the one of the scene
  viewer.watch(watched);
  constexpr auto ticks = [](double seconds) { return std::uint64_t(seconds * kTicksPerSecond); };
  const std::uint64_t began = viewer.until(viewer.until(0) + ticks(study::kInStride));

  const double cpu = server.cpu_s(), wall = study::wall_s();
  const std::uint64_t bytes = viewer.bytes();
  const int details = viewer.details(), dropped = viewer.dropped();
  const std::uint64_t ended = viewer.until(began + ticks(plan.amount(20.0, 4.0)));
  const double simulated = double(ended - began) / kTicksPerSecond;
  const double took = study::wall_s() - wall;
  plan.at_least(
      "walkers-a-core-served",
      study::formatted("the same crowd in `promenade serve` on one thread, with sockets: "
                       "one viewer gets frames at 30 Hz and the details of one (%.0f KB/s, "
                       "%.0f details a second, %d frames left out); CPU time of the whole "
                       "server at the clock's pace (%.2f x real time)",
                       double(viewer.bytes() - bytes) / took / 1024,
                       (viewer.details() - details) / took, viewer.dropped() - dropped,
                       simulated / took),
      "", 100, kWalkers * simulated / (server.cpu_s() - cpu), "characters");
}

}  // namespace promenade::app
