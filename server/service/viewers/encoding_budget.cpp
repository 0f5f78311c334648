#include "service/viewers/encoding_budget.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace promenade::service {

std::unique_ptr<EncodingBudget::Share> EncodingBudget::share_of(const std::string& payer,
                                                                net::Clock::time_point now) {
  std::shared_ptr<Account> account;
  {
    const std::lock_guard lock(books_->mutex);
    // A new payer begins with all that it could have saved up: its viewers see something at once.
    account = books_->accounts.use(payer, [&] {
      return std::make_shared<Account>(Account{kSaved_s * kMost * books_->threads, now, 0});
    });
  }
  return std::make_unique<Share>(books_, std::move(account), now);
}

double EncodingBudget::Books::rate() const {
  return threads * std::clamp(kOfAll / std::max(1, payers), kLeast, kMost);
}

void EncodingBudget::fill(double& saved_s, net::Clock::time_point& at, double rate,
                          net::Clock::time_point now) {
  const double passed_s = std::chrono::duration<double>(now - at).count();
  if (passed_s <= 0) return;
  at = now;
  saved_s = std::min(saved_s + rate * passed_s, rate * kSaved_s);
}

EncodingBudget::Share::Share(std::shared_ptr<Books> books, std::shared_ptr<Account> account,
                             net::Clock::time_point now)
    : books_(std::move(books)), account_(std::move(account)), at_(now) {}

void EncodingBudget::Share::rest() {
  const std::lock_guard lock(books_->mutex);
  if (!std::exchange(counts_, false)) return;
  if (--account_->viewers == 0) --books_->payers;
}

bool EncodingBudget::Share::may(net::Clock::time_point now) {
  const std::lock_guard lock(books_->mutex);
  if (!std::exchange(counts_, true) && account_->viewers++ == 0) ++books_->payers;
  const double rate = books_->rate();
  fill(account_->saved_s, account_->at, rate, now);
  fill(saved_s_, at_, rate / account_->viewers, now);
  if (account_->saved_s <= 0) return false;
  return account_->saved_s > rate * kSaved_s / 2 || saved_s_ > 0;
}

void EncodingBudget::Share::charge(double cpu_s) {
  const std::lock_guard lock(books_->mutex);
  account_->saved_s -= cpu_s;
  saved_s_ = std::max(saved_s_ - cpu_s, -kSaved_s);
}

}  // namespace promenade::service
