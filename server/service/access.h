#pragma once

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
#include "net/recent_table.h"
#include "net/types.h"
#include "world/command/command.h"

namespace promenade::service {

/// Whether others than its owner can read or change a file of tokens.
bool others_may_use(const std::filesystem::path& token_file);

/// Slows down those who guess tokens: after kMostWrong wrong ones from an address within kWindow,
/// further ones are refused until kWindow has passed. The table is bounded. Not thread-safe.
class GuessLimit {
 public:
  static constexpr int kMostWrong = 10;
  static constexpr std::chrono::seconds kWindow{60};
  static constexpr std::size_t kMaxAddresses = 4096;

  /// How long the visitor of that net::Visitor::key has to wait; zero: they may try.
  std::chrono::seconds wait(const std::string& key, net::Clock::time_point now) const;
  void count_wrong(const std::string& key, net::Clock::time_point now);
  std::size_t size() const { return wrong_.size(); }

 private:
  struct Wrong {
    int count = 0;
    net::Clock::time_point until;  // of the window; once kMostWrong is reached, of the refusal
  };
  net::RecentTable<Wrong> wrong_{kMaxAddresses};
};

/// Who may come in, and with which role: tokens of the command line and of a file that may change,
/// invitations, guests. Any thread may call it.
class Access {
 public:
  /// Finds what a token gives that is none of Tokens (an invitation); nothing: it knows none.
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

  /// What a token gives, or why it gives nothing: an unknown one, or too many wrong ones before.
  std::variant<api::Grant, world::CommandError> admit(std::string_view token,
                                                      const std::string& address);
  /// Counts the visitor who comes with the token of that key, where visitors are counted.
  std::optional<world::CommandError> use(const std::string& key, const std::string& visitor) const {
    return source_.use ? source_.use(key, visitor) : std::nullopt;
  }
  /// What the holder of that key may do now; nothing: the token is not valid any more.
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
  std::mutex reading_;  // guards what follows; never held together with mutex_ by waiting for it
  Stamp read_stamp_;
};

}  // namespace promenade::service
