#include "app/gaits/explore_gait.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "app/gaits/gait_file.h"
#include "command/complain.h"
#include "command/ranges.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "search/gaits/landscape.h"
#include "search/gaits/variation_search.h"

namespace promenade::app {
namespace {

constexpr const char* kWhat = "search gait";
using Clock = std::chrono::steady_clock;

schema::Result<search::GaitSurroundings> surroundings_of(const Library& library,
                                                         const std::filesystem::path& path,
                                                         const std::filesystem::path& body) {
  auto file = load_gait_file(library, path, body);
  if (!file) return file.error();
  return search::GaitSurroundings::make(std::move(file->message), file->trial, file->source);
}

bool write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  return bool(file);
}

int write_report(const std::filesystem::path& path, const google::protobuf::Message& message) {
  if (path.empty()) return 0;
  if (write_text(path, schema::message_to_json(message, true) + "\n")) return 0;
  return command::complain(kWhat, path.string() + ": cannot be written");
}

schema::Source source_of(const std::filesystem::path& path) {
  schema::Source source;
  source.file = path.string();
  return source;
}

void print_look(const v1::GaitLook& look) {
  std::printf("  %-18s %-12s %6.3g m/s  %6.3g rad/s  stride %5.3g s", look.name().c_str(),
              look.kind().c_str(), look.speed_mps(), look.turning_radps(), look.stride_s());
  if (!look.name().empty()) {
    std::printf("  %4.1f %% away: %s", 100 * look.reach(),
                look.words().empty() ? "much the same" : look.words().c_str());
  }
  std::printf("\n");
}

// The grid as a table, a row for each point.
std::string table_of(const v1::GaitLandscape& map) {
  const auto head = [](const v1::LandscapeAxis& axis) { return axis.name() + "_" + axis.unit(); };
  std::string out = head(map.axes(0)) + "," + head(map.axes(1)) + "," + map.figure() + ",end\n";
  for (int i = 0; i < map.values_size(); ++i) {
    const int across = i % int(map.points()), up = i / int(map.points());
    const int end = int(map.ends(i));
    out += schema::number(map.axes(0).marks(across)) + "," + schema::number(map.axes(1).marks(up)) +
           "," + (end == 0 ? schema::number(map.values(i)) : "") + "," + map.end_names(end) + "\n";
  }
  return out;
}

void print_landscape(const v1::GaitLandscape& map, double seconds) {
  std::printf("%s over %s (%.3g to %.3g %s) and %s (%.3g to %.3g %s): %d points in %.1f s\n",
              map.figure().c_str(), map.axes(0).name().c_str(), map.axes(0).low(),
              map.axes(0).high(), map.axes(0).unit().c_str(), map.axes(1).name().c_str(),
              map.axes(1).low(), map.axes(1).high(), map.axes(1).unit().c_str(), map.values_size(),
              seconds);
  std::vector<int> counts(std::size_t(map.end_names_size()));
  int best = -1;
  for (int i = 0; i < map.ends_size(); ++i) {
    ++counts[std::size_t(map.ends(i))];
    if (map.ends(i) == 0 && (best < 0 || map.values(i) > map.values(best))) best = i;
  }
  for (int end = 0; end < map.end_names_size(); ++end) {
    if (counts[std::size_t(end)] == 0) continue;
    std::printf("  %5.1f %% %s\n", 100.0 * counts[std::size_t(end)] / map.ends_size(),
                map.end_names(end).c_str());
  }
  std::printf("  the gait itself: %.4g %s", map.value(), map.unit().c_str());
  if (best >= 0) {
    std::printf("; the most: %.4g %s at %.4g, %.4g", double(map.values(best)), map.unit().c_str(),
                map.axes(0).marks(best % int(map.points())),
                map.axes(1).marks(best / int(map.points())));
  }
  std::printf("\n");
}

}  // namespace

int find_variations(const Library& library, const ExploreFlags& flags,
                    const ExploreSettings& settings) {
  const auto about = surroundings_of(library, flags.variations_of, flags.body);
  if (!about) return command::complain(kWhat, about.error().text());
  search::VariationOptions options;
  options.count = int(flags.count);
  options.directions = int(flags.directions);
  options.seed = settings.seed;
  if (settings.strides) options.strides = settings.strides;
  options.starts = int(settings.starts);
  options.threads = settings.threads;
  options.program = PROMENADE_VERSION;
  const std::size_t others = std::size_t(about->message().variants_size());
  if (others + flags.count > control::posegraph::kMostVariants) {
    return command::complain(
        kWhat, flags.variations_of.string() + ": variants: " + std::to_string(others) +
                   " besides variations leave no room for " + std::to_string(flags.count) +
                   "; a gait has up to " + std::to_string(control::posegraph::kMostVariants));
  }
  const auto begun = Clock::now();
  const auto found = search::find_variations(*about, options, source_of(flags.variations_of));
  if (!found) return command::complain(kWhat, found.error().text());
  const std::chrono::duration<double> took = Clock::now() - begun;
  const v1::GaitVariations message = search::message_of(*about, *found, options);
  std::printf("%s: %d numbers, %d directions in %.1f s; %zu came to a variation\n",
              message.gait().name().c_str(), about->space().dimension(), int(found->explored),
              took.count(), found->usable);
  for (const v1::SearchEnd& end : message.ends()) {
    std::printf("  %3llu %s\n", static_cast<unsigned long long>(end.count()), end.end().c_str());
  }
  print_look(message.nominal());
  for (const v1::GaitLook& look : message.variations()) print_look(look);
  if (found->chosen.size() < flags.count) {
    std::printf(
        "only %zu of %u variations: other directions fall soon, or look like one of these. More "
        "--directions or another --seed may find more.\n",
        found->chosen.size(), flags.count);
  }
  if (const int code = write_report(flags.report, message)) return code;
  if (settings.out.empty() && !flags.report.empty()) return 0;
  if (found->chosen.empty()) return command::complain(kWhat, "no variation was found");
  return write_gait_file(message.gait(), settings.out.empty() ? flags.variations_of : settings.out);
}

int find_variation_again(const Library& library, const std::filesystem::path& file,
                         const std::filesystem::path& body, const v1::GaitVariant& variation) {
  const auto about = surroundings_of(library, file, body);
  if (!about) return command::complain(kWhat, about.error().text());
  const auto found = search::states_again(*about, variation.origin(), source_of(file));
  if (!found) return command::complain(kWhat, found.error().text());
  v1::GaitVariant before, now;
  *before.mutable_states() = variation.states();
  *now.mutable_states() = *found;
  const std::string what = about->message().name() + ", variant " + variation.name();
  if (now.SerializeAsString() != before.SerializeAsString()) {
    return command::complain(kWhat, file.string() + ": its direction of program " +
                                        variation.origin().program() + " now comes to another " +
                                        what);
  }
  std::printf("%s: found again by direction %llu\n", what.c_str(),
              static_cast<unsigned long long>(variation.origin().trial()));
  return 0;
}

int map_landscape(const Library& library, const ExploreFlags& flags,
                  const ExploreSettings& settings) {
  if (settings.out.empty() && flags.report.empty()) {
    return command::complain(kWhat,
                             "--out or --report is needed with --landscape-of: the file to write");
  }
  const auto about = surroundings_of(library, flags.landscape_of, flags.body);
  if (!about) return command::complain(kWhat, about.error().text());
  search::LandscapeOptions options;
  options.axes = flags.axes;
  options.figure = flags.figure;
  options.points = int(flags.points);
  if (settings.strides) options.strides = settings.strides;
  options.starts = int(settings.starts);
  options.threads = settings.threads;
  const auto begun = Clock::now();
  const auto map = search::landscape_of(*about, options, source_of(flags.landscape_of));
  if (!map) return command::complain(kWhat, map.error().text());
  const std::chrono::duration<double> took = Clock::now() - begun;
  print_landscape(*map, took.count());
  if (const int code = write_report(flags.report, *map)) return code;
  if (settings.out.empty()) return 0;
  if (!write_text(settings.out, table_of(*map))) {
    return command::complain(kWhat, settings.out.string() + ": cannot be written");
  }
  std::printf("wrote %s\n", settings.out.string().c_str());
  return 0;
}

void add_exploration(CLI::App& command, ExploreFlags& flags) {
  command
      .add_option(
          "--variations-of", flags.variations_of,
          "A gait's file: explores random directions from it, each as far as it goes on and "
          "its speed stays within 30 %, and writes those ends that differ most into this "
          "file as variants, unless --out says otherwise.")
      ->type_name("FILE");
  command.add_option("--count", flags.count, "Variations that are wanted.")
      ->check(command::whole_number(1, control::posegraph::kMostVariants))
      ->capture_default_str();
  command
      .add_option("--directions", flags.directions,
                  "Directions that are explored at most, in rounds of 27 until there are enough "
                  "variations.")
      ->check(command::whole_number(1, 10000))
      ->capture_default_str();
  command
      .add_option(
          "--landscape-of", flags.landscape_of,
          "A gait's file: a figure of it over two of its free numbers, as a table in --out.")
      ->type_name("FILE");
  command
      .add_option("--axes", flags.axes,
                  "The two free numbers, as in: state1.left_knee state2.duration. Another name "
                  "lists all. Left out: the first two.")
      ->expected(2);
  command
      .add_option("--figure", flags.figure,
                  "The figure; --figures lists them. Those of leaps and of headings that are asked "
                  "for are none of a landscape.")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--points", flags.points, "Points along each axis of a landscape.")
      ->check(command::whole_number(search::kFewestPoints, search::kMostPoints))
      ->capture_default_str();
  command
      .add_option(
          "--body", flags.body,
          "A creature's file, in place of the library's, for --variations-of, --landscape-of and "
          "the variations of --again.")
      ->type_name("FILE");
  command
      .add_option("--report", flags.report,
                  "File for all that is known of the variations, with takes of their strides, or "
                  "of the landscape, as JSON. Without --out the gait's file stays as it is then.")
      ->type_name("FILE");
}

}  // namespace promenade::app
