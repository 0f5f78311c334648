#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "api/tokens.h"
#include "net/limits/recent_table.h"
#include "net/limits/visitor.h"
#include "net/types.h"
#include "world/command/command.h"

namespace promenade::service {

/// Whether others than its owner can read or change a file of tokens.
bool others_may_use(const std::filesystem::path& token_file);

/// Slows down guessing of tokens: after so many wrong ones from a network within kWindow, every
/// token from there has to wait until kWindow has passed. Nobody is refused because of others: one
/// connection learns of one token at a time, so that it is connections that bound how many are
/// tried. The tables are bounded. Not thread-safe.
class GuessLimit {
 public:
  /// Wrong guesses by size of network, the narrowest first, as net::networks_of() gives them.
  static constexpr std::array<int, net::kNetworkSizes> kMostWrong{10, 40, 160, 640};
  static constexpr std::chrono::seconds kWindow{60};
  static constexpr std::chrono::milliseconds kWait{1000};
  static constexpr std::size_t kMaxNetworks = 4096;  // networks of each size

  /// Whether tokens from that address have to wait.
  bool slow(std::string_view address, net::Clock::time_point now) const;
  void count_wrong(std::string_view address, net::Clock::time_point now);
  /// Networks of all sizes that are remembered.
  std::size_t size() const;

 private:
  struct Wrong {
    int count = 0;
    net::Clock::time_point until;  // of the window; once there are too many, of the slowness
  };
  struct Table : net::RecentTable<Wrong> {
    Table() : RecentTable(kMaxNetworks) {}
  };
  std::array<Table, net::kNetworkSizes> wrong_;
};

/// Decides which visitors come in, and in which role: by tokens of the command line and of a file
/// that may change, invitations, guests. Any thread may call it.
class Access {
 public:
  /// Finds the grant of a token that is none of Tokens (an invitation); nothing: it knows none.
  struct Source {
    std::function<std::optional<api::Grant>(std::string_view token)> find;
    std::function<std::optional<api::Grant>(std::string_view key)> of_key;
    /// Counts a visitor who comes with the token of that key, or says why that is one too many.
    std::function<std::optional<world::CommandError>(const std::string& key,
                                                     const std::string& visitor)>
        use;
  };

  /// @param given  guests' role, tokens of the command line
  /// @param file   a token file; may be empty. Throws std::runtime_error with file and line where
  ///               it cannot be used.
  Access(api::Tokens given, std::filesystem::path file);

  /// How long admit() is to be put off: others behind the same address, or near it, have guessed.
  /// Zero for guests, and for visitors who came with the same token and key before.
  /// @param visitor_key  as in Join: only its visitor knows it; may be empty
  net::Clock::duration wait(std::string_view token, std::string_view visitor_key,
                            const std::string& address) const;
  /// The grant that a token gives, or why it gives none. Parameters as for wait().
  std::variant<api::Grant, world::CommandError> admit(std::string_view token,
                                                      std::string_view visitor_key,
                                                      const std::string& address);
  /// Counts the visitor who comes with the token of that key, where visitors are counted.
  std::optional<world::CommandError> use(const std::string& key, const std::string& visitor) const {
    return source_.use ? source_.use(key, visitor) : std::nullopt;
  }
  /// The present grant of that key's holder; nothing: the token is not valid any more.
  std::optional<api::Grant> of_key(std::string_view key) const;
  /// Changes whenever of_key() may answer otherwise.
  std::uint64_t revision() const { return revision_; }
  /// To be called when `source` knows other tokens than before.
  void changed() { ++revision_; }
  /// @pre nobody calls admit() yet
  void add_source(Source source) { source_ = std::move(source); }

  /// Reads the token file again if it is another one than before; on a mistake the tokens stay as
  /// they are and the log names file and line. Waits for the disk.
  /// @param always  also where it looks unchanged
  void reload(bool always);

  std::shared_ptr<const api::Tokens> tokens() const;

 private:
  struct Stamp {
    std::filesystem::file_time_type time{};
    std::uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  Stamp stamp() const;
  api::Tokens read() const;

  const api::Tokens given_;
  const std::filesystem::path file_;
  Source source_;
  std::atomic<std::uint64_t> revision_{1};
  mutable std::mutex mutex_;
  std::shared_ptr<const api::Tokens> tokens_;
  GuessLimit guesses_;
  struct Seen {};
  net::RecentTable<Seen> seen_{GuessLimit::kMaxNetworks};  // tokens and keys that came before
  std::mutex reading_;  // guards the members below; never held together with mutex_ by waiting
  Stamp read_stamp_;
};

}  // namespace promenade::service
