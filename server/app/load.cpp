#include <algorithm>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>

#include "app/subcommands.h"
#include "command/complain.h"
#include "command/progress_bar.h"
#include "command/ranges.h"
#include "load/attacks.h"
#include "load/run.h"
#include "math/statistics.h"
#include "net/http/http_client.h"
#include "net/http/http_types.h"

namespace promenade::app {
namespace {

struct LoadFlags {
  load::Plan plan;
  std::string url = "http://localhost:8080";
  bool json = false, progress = false;
  double least_frames_per_s = 0, most_delay_ms = 0;  // 0: not asked for
};

struct NamedKind {
  const char* name;
  const load::KindFigures* figures;
};

double median(std::vector<double> values) { return percentile_in_place(values, 50); }
double least(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

void print_text(const load::Figures& figures, std::span<const NamedKind> kinds) {
  std::printf("%-8s %6s %9s %19s %17s %22s %9s\n", "viewers", "asked", "connected",
              "frames/s median,min", "gap ms p50, p99", "delay ms p50, p99, max", "KB/s each");
  for (const auto& [name, one] : kinds) {
    if (one->asked == 0 || one == &figures.hostile) continue;
    std::printf("%-8s %6d %9d %12.1f %6.1f %10.1f %6.1f %8.1f %6.1f %6.0f %9.1f\n", name,
                one->asked, one->least_connected, median(one->frames_per_s),
                least(one->frames_per_s), one->gap_ms.percentile(50), one->gap_ms.percentile(99),
                one->delay_ms.percentile(50), one->delay_ms.percentile(99),
                one->delay_ms.greatest(), double(one->bytes) / figures.seconds / one->asked / 1024);
  }
  if (figures.hostile.asked > 0) {
    std::printf("hostile %7d  %llu attacks, %.0f KB/s in answers\n", figures.hostile.asked,
                static_cast<unsigned long long>(figures.hostile.attacks),
                double(figures.hostile.bytes) / figures.seconds / 1024);
  }
  for (const auto& [name, one] : kinds) {
    for (const auto& [why, count] : one->ends) {
      std::printf("%s: %llu connections: %s\n", name, static_cast<unsigned long long>(count),
                  why.c_str());
    }
  }
  std::printf("%.1f s measured; the clients took %.0f %% of a core%s\n", figures.seconds,
              100 * figures.own_cpu,
              figures.own_cpu > 0.8 ? ": too much, the delays are partly theirs" : "");
}

void print_json(const load::Figures& figures, std::span<const NamedKind> kinds) {
  std::printf("{\"seconds\": %.3f, \"own_cpu\": %.3f", figures.seconds, figures.own_cpu);
  for (const auto& [name, one] : kinds) {
    std::printf(
        ", \"%s\": {\"asked\": %d, \"least_connected\": %d, \"frames_per_s_median\": %.2f, "
        "\"frames_per_s_min\": %.2f, \"gap_ms_p50\": %.2f, \"gap_ms_p99\": %.2f, "
        "\"delay_ms_p50\": %.2f, \"delay_ms_p99\": %.2f, \"delay_ms_max\": %.2f, \"frames\": %llu, "
        "\"dropped\": %llu, \"bytes\": %llu, \"attacks\": %llu, \"ends\": {",
        name, one->asked, one->least_connected, median(one->frames_per_s), least(one->frames_per_s),
        one->gap_ms.percentile(50), one->gap_ms.percentile(99), one->delay_ms.percentile(50),
        one->delay_ms.percentile(99), one->delay_ms.greatest(),
        static_cast<unsigned long long>(one->frames), static_cast<unsigned long long>(one->dropped),
        static_cast<unsigned long long>(one->bytes), static_cast<unsigned long long>(one->attacks));
    const char* comma = "";
    for (const auto& [why, count] : one->ends) {
      std::printf("%s%s: %llu", comma, net::json_quote(why).c_str(),
                  static_cast<unsigned long long>(count));
      comma = ", ";
    }
    std::printf("}, \"tried\": {");
    comma = "";
    for (const auto& [attack, count] : one->tried) {
      std::printf("%s%s: %llu", comma, net::json_quote(attack).c_str(),
                  static_cast<unsigned long long>(count));
      comma = ", ";
    }
    std::printf("}}");
  }
  std::printf("}\n");
}

/// Why viewers lost their connections, the most frequent reason first; empty: none did.
std::string losses_of(const load::KindFigures& kind) {
  std::vector<std::pair<std::uint64_t, std::string>> sorted;
  for (const auto& [why, count] : kind.ends) {
    if (why != load::kLeftByItself) sorted.emplace_back(count, why);
  }
  std::sort(sorted.rbegin(), sorted.rend());
  std::string text;
  for (const auto& [count, why] : sorted) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " times " + why;
  }
  return text;
}

int run(LoadFlags flags) {
  if (flags.plan.honest + flags.plan.slow + flags.plan.dead + flags.plan.hostile == 0) {
    return command::complain(
        "load", "no clients to connect; ask for some with --honest, --slow, --dead or --hostile");
  }
  const auto place = net::parse_place(flags.url);
  if (!place) {
    return command::complain("load",
                             "\"" + flags.url + "\" is not http://HOST or http://HOST:PORT");
  }
  flags.plan.host = place->host;
  flags.plan.port = place->port;
  load::Figures figures;
  {
    command::ProgressBar bar("load", flags.progress);
    try {
      figures = load::run(flags.plan, [&](double done, double all) { bar.show(done, all); });
    } catch (const std::runtime_error& error) {
      bar.clear();
      return command::complain("load", error.what());
    }
  }
  const NamedKind kinds[] = {{"honest", &figures.honest},
                             {"slow", &figures.slow},
                             {"dead", &figures.dead},
                             {"hostile", &figures.hostile}};
  flags.json ? print_json(figures, kinds) : print_text(figures, kinds);
  // Slow and dead ones may be dropped; a server that says no to honest ones served nobody.
  const auto& each = figures.honest.frames_per_s;
  const auto without = std::count(each.begin(), each.end(), 0.0);
  if (const std::string losses = losses_of(figures.honest); without > 0 && !losses.empty()) {
    return command::complain("load", std::to_string(without) + " of " +
                                         std::to_string(each.size()) +
                                         " honest viewers got no frame: " + losses);
  }
  const double frames = median(figures.honest.frames_per_s);
  if (flags.least_frames_per_s > 0 && frames < flags.least_frames_per_s) {
    return command::complain("load", "honest viewers got " + std::to_string(frames) +
                                         " frames a second (median), fewer than --frames-at-least");
  }
  const double delay = figures.honest.delay_ms.percentile(99);
  if (flags.most_delay_ms > 0 && delay > flags.most_delay_ms) {
    return command::complain("load", "the 99th percentile of the delay is " +
                                         std::to_string(delay) + " ms, more than --delay-at-most");
  }
  return 0;
}

std::string list_of_attacks() {
  std::string list = "Attacks of hostile clients:\n";
  for (const load::Attack& attack : load::attacks()) {
    list += "  " + std::string(attack.name);
    list.append(18 - std::min<std::size_t>(17, std::string_view(attack.name).size()), ' ');
    list += std::string(attack.does) + "\n";
  }
  return list;
}

/// How many clients connect, and what they do.
void add_clients(CLI::App& command, load::Plan& plan) {
  const auto count = [&](const char* name, int& value, const char* text) {
    command.add_option(name, value, text)
        ->check(command::whole_number(0, 100'000))
        ->capture_default_str()
        ->group("Clients");
  };
  count("--honest", plan.honest,
        "Viewers that join, read everything at once, leave and come back.");
  count("--slow", plan.slow, "Viewers that read --slow-rate bytes a second.");
  count("--dead", plan.dead, "Viewers that join, then read nothing.");
  count("--hostile", plan.hostile, "Clients that make one attack after another; see below.");
  command.add_option("--rate", plan.rate_hz, "Frames a second that viewers ask for.")
      ->check(command::finite_range(1, 60))
      ->capture_default_str()
      ->group("Clients");
  command
      .add_option("--slow-rate", plan.slow_bytes_per_s, "Bytes a second that a slow viewer reads.")
      ->check(command::finite_range(1, 1e9))
      ->capture_default_str()
      ->group("Clients");
  command
      .add_option("--stay", plan.stay_s,
                  "Seconds after which an honest viewer leaves and comes back; 0: never.")
      ->check(command::finite_range(0, 86'400))
      ->capture_default_str()
      ->group("Clients");
  command
      .add_option("--attack", plan.attack,
                  "What every hostile client does, of the list below. Left out: all of it by "
                  "chance.")
      ->check([](const std::string& name) {
        return load::find_attack(name)
                   ? std::string()
                   : "no attack is called " + name + "; allowed: those that --help lists";
      })
      ->group("Clients");
  command.add_option("--room", plan.room, "Room to join. Left out: the server's default room.")
      ->group("Clients");
  command.add_option("--token", plan.token, "Token of the viewers. Left out: they are guests.")
      ->group("Clients");
  command
      .add_option("--sources", plan.sources,
                  "Number of addresses, from 127.0.0.1 upwards, that clients come from. A server "
                  "on this machine then counts them as so many visitors.")
      ->check(command::whole_number(1, 60'000))
      ->capture_default_str()
      ->group("Clients");
}

void add_times(CLI::App& command, load::Plan& plan) {
  command.add_option("--seconds", plan.seconds, "Seconds to measure, once all have connected.")
      ->check(command::finite_range(0.1, 1e6))
      ->capture_default_str();
  command.add_option("--joins", plan.joins_per_second, "Clients that connect per second.")
      ->check(command::finite_range(0.1, 100'000))
      ->capture_default_str();
  command.add_option("--seed", plan.seed, "Seed of the attacks.")
      ->check(command::whole_number(0))
      ->capture_default_str();
}

/// What honest viewers must get, for the exit code.
void add_demands(CLI::App& command, LoadFlags& flags) {
  command
      .add_option("--frames-at-least", flags.least_frames_per_s,
                  "Frames a second that the median honest viewer must get; fewer give exit code 1. "
                  "0: any number is fine.")
      ->check(command::finite_range(0, 60))
      ->capture_default_str();
  command
      .add_option("--delay-at-most", flags.most_delay_ms,
                  "Most milliseconds of delay that 99 % of the honest viewers' frames may have; "
                  "more gives exit code 1. 0: any delay is fine.")
      ->check(command::finite_range(0, 1e6))
      ->capture_default_str();
}

}  // namespace

command::Run add_load(CLI::App& command, const command::CommonOptions&) {
  auto flags = std::make_shared<LoadFlags>();
  command.add_option("url", flags->url, "Server to put under load; http only.")
      ->type_name("URL")
      ->capture_default_str();
  add_clients(command, flags->plan);
  add_times(command, flags->plan);
  add_demands(command, *flags);
  command.add_flag("--json", flags->json, "Prints JSON instead of a table.");
  command.add_flag("--progress", flags->progress,
                   "Shows the progress bar even if standard error is not a terminal.");
  command.footer(list_of_attacks() +
                 "Attack only your own servers.\nExample: promenade load --honest 200 --slow 10 "
                 "--dead 10 --hostile 50 --seconds 60");
  return [flags] { return run(*flags); };
}

}  // namespace promenade::app
