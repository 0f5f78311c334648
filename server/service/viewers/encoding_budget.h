#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "net/limits/recent_table.h"
#include "net/types.h"

namespace promenade::service {

/// The time of the network threads that frames for one viewer alone may take: coded ones, and
/// Details. They are made on the thread that serves all sockets, so a payer that asks for more than
/// a share would keep the others waiting. Counts for the payer, as Asker::payer(). Any thread.
/// Docs: docs/decisions/0038-what-encoding-may-cost.md
///
/// Law:    payers with viewers of this kind share `of_all` of the threads evenly, each at least
///         `least` and at most `most` of them; half a second of that may be saved up. A payer that
///         has used more is served again once that is made up for. While a payer has used most of
///         its share, its own viewers share that evenly in turn.
class EncodingBudget {
 public:
  static constexpr double kOfAll = 0.5;             // of the threads' time, for all payers together
  static constexpr double kMost = 0.125;            // of the threads' time, for one
  static constexpr double kLeast = 0.005;           // of the threads' time, for one among very many
  static constexpr double kSaved_s = 0.5;           // s for which a share may be saved up
  static constexpr std::size_t kMostPayers = 4096;  // payers that are remembered

  /// @param threads  that serve sockets
  explicit EncodingBudget(int threads) : books_(std::make_shared<Books>(threads)) {}

  class Share;
  /// The part of one viewer.
  std::unique_ptr<Share> share_of(const std::string& payer, net::Clock::time_point now);

 private:
  struct Account {
    double saved_s = 0;  // CPU time that may be used; below 0: to be made up for
    net::Clock::time_point at;
    int viewers = 0;  // that count
  };
  /// Viewers may outlive the budget.
  struct Books {
    explicit Books(int network_threads) : threads(network_threads) {}
    /// CPU seconds a second of one payer.
    double rate() const;

    const int threads;
    std::mutex mutex;
    int payers = 0;  // with viewers that count
    net::RecentTable<std::shared_ptr<Account>> accounts{kMostPayers};
  };
  /// Fills up to now. @param rate  CPU seconds a second
  static void fill(double& saved_s, net::Clock::time_point& at, double rate,
                   net::Clock::time_point now);

  const std::shared_ptr<Books> books_;
};

/// The share of one viewer, which counts for its payer from the first may() to rest() or its end.
class EncodingBudget::Share {
 public:
  Share(std::shared_ptr<Books> books, std::shared_ptr<Account> account, net::Clock::time_point now);
  ~Share() { rest(); }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  /// Whether a frame may be made now.
  bool may(net::Clock::time_point now);
  /// No frame is made for this viewer alone until the next may().
  void rest();
  /// A frame has been made. @param cpu_s  that it took
  void charge(double cpu_s);

 private:
  const std::shared_ptr<Books> books_;
  const std::shared_ptr<Account> account_;
  bool counts_ = false;
  double saved_s_ = 0;  // of this viewer's part of the payer's share
  net::Clock::time_point at_;
};

}  // namespace promenade::service
