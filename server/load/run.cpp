#include "load/run.h"

#include <time.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "load/attacker.h"
#include "load/viewer.h"

namespace promenade::load {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double cpu_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

tcp::endpoint find(const Plan& plan, asio::io_context& io) {
  boost::system::error_code error;
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(plan.host, std::to_string(plan.port), error);
  if (error) throw std::runtime_error(plan.host + ": " + error.message());
  // A name of this machine may stand for an address that nobody listens on, so each is tried.
  for (const auto& entry : found) {
    if (plan.sources > 1 && !entry.endpoint().address().is_v4()) continue;
    tcp::socket probe(io);
    probe.connect(entry.endpoint(), error);
    if (!error) return entry.endpoint();
  }
  throw std::runtime_error("nothing answers at " + plan.host + ":" + std::to_string(plan.port) +
                           (error ? ": " + error.message() : ""));
}

// All clients of a run, in the order in which they connect.
struct Clients {
  std::vector<std::shared_ptr<Viewer>> viewers;
  std::vector<std::shared_ptr<Attacker>> attackers;

  Clients(Shared& shared, Figures& figures) {
    const Plan& plan = shared.plan;
    int number = 0;
    const auto add = [&](int count, Viewer::Reads reads, KindFigures& of) {
      of.asked = count;
      for (int i = 0; i < count; ++i) {
        viewers.push_back(std::make_shared<Viewer>(shared, number++, reads, of));
      }
    };
    add(plan.honest, Viewer::Reads::kAll, figures.honest);
    add(plan.slow, Viewer::Reads::kSlowly, figures.slow);
    add(plan.dead, Viewer::Reads::kNothing, figures.dead);
    figures.hostile.asked = plan.hostile;
    for (int i = 0; i < plan.hostile; ++i) {
      attackers.push_back(std::make_shared<Attacker>(shared, number++, figures.hostile));
    }
  }
  std::size_t size() const { return viewers.size() + attackers.size(); }
  void start(std::size_t index) {
    if (index < viewers.size()) {
      viewers[index]->start();
    } else {
      attackers[index - viewers.size()]->start();
    }
  }
};

}  // namespace

Figures run(const Plan& plan, const std::function<void(double, double)>& progress) {
  asio::io_context io(1);
  Figures figures;
  Shared shared{plan, io, find(plan, io)};
  Clients clients(shared, figures);

  const double connecting = double(clients.size()) / plan.joins_per_second;
  constexpr double kSettle = 1;  // s after connecting, not measured
  const double all = connecting + kSettle + plan.seconds;
  const auto began = Clock::now();
  const auto step = std::chrono::milliseconds(10);
  for (std::size_t started = 0; started < clients.size();) {
    const auto due = static_cast<std::size_t>(since(began) * plan.joins_per_second) + 1;
    for (; started < std::min(due, clients.size()); ++started) clients.start(started);
    io.run_for(step);
    progress(since(began), all);
  }
  for (const auto settling = Clock::now(); since(settling) < kSettle;) io.run_for(step);

  shared.measuring = true;
  for (KindFigures* kind : {&figures.honest, &figures.slow, &figures.dead, &figures.hostile}) {
    kind->least_connected = kind->connected;
  }
  const auto measuring = Clock::now();
  const double cpu = cpu_s();
  while (since(measuring) < plan.seconds) {
    io.run_for(step);
    progress(since(began), all);
  }
  figures.seconds = since(measuring);
  figures.own_cpu = (cpu_s() - cpu) / figures.seconds;
  shared.ending = true;
  for (const auto& viewer : clients.viewers) viewer->stop(figures.seconds);
  for (const auto& attacker : clients.attackers) attacker->stop();
  io.run_for(std::chrono::milliseconds(200));
  return figures;
}

}  // namespace promenade::load
