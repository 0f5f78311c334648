#include "service/people/access.h"

#include <spdlog/spdlog.h>

#include <stdexcept>
#include <utility>

#include "api/digest.h"
#include "api/replies.h"
#include "schema/message.h"
#include "schema/text.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

// Stands for a token and a visitor's key; nobody can tell either from it.
std::string name_of_both(std::string_view token, std::string_view visitor_key) {
  return api::hex_of(
      api::digest_of(api::process_salt(), std::string(visitor_key) + " " + std::string(token)), 16);
}

}  // namespace

bool GuessLimit::slow(std::string_view address, net::Clock::time_point now) const {
  const auto networks = net::networks_of(address);
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const Wrong* one = wrong_[i].find(networks[i]);
    if (one && one->count >= kMostWrong[i] && one->until > now) return true;
  }
  return false;
}

void GuessLimit::count_wrong(std::string_view address, net::Clock::time_point now) {
  const auto networks = net::networks_of(address);
  for (std::size_t i = 0; i < networks.size(); ++i) {
    Wrong& one = wrong_[i].use(networks[i], [] { return Wrong(); });
    if (one.until <= now) one = {0, now + kWindow};
    if (++one.count == kMostWrong[i]) one.until = now + kWindow;
  }
}

std::size_t GuessLimit::size() const {
  std::size_t all = 0;
  for (const auto& table : wrong_) all += table.size();
  return all;
}

Access::Access(api::Tokens given, std::filesystem::path file)
    : given_(std::move(given)), file_(std::move(file)) {
  read_stamp_ = stamp();
  tokens_ = std::make_shared<const api::Tokens>(read());
}

Access::Stamp Access::stamp() const {
  std::error_code error;
  Stamp now;
  now.time = std::filesystem::last_write_time(file_, error);
  now.size = std::filesystem::file_size(file_, error);
  return now;
}

api::Tokens Access::read() const {
  api::Tokens tokens = given_;
  if (file_.empty()) return tokens;
  const auto text = schema::read_text(file_);
  if (!text) throw std::runtime_error("the token file " + text.error().text());
  const auto read = api::parse_token_file(*text, file_.string());
  if (!read) throw std::runtime_error("the token file " + read.error().text());
  for (const api::HashedToken& token : *read) tokens.add(token);
  return tokens;
}

void Access::reload(bool always) {
  if (file_.empty()) return;
  const std::lock_guard reading(reading_);
  const Stamp now = stamp();
  if (!always && now == read_stamp_) return;
  read_stamp_ = now;  // also of a file with a mistake, which is told once
  try {
    auto fresh = std::make_shared<const api::Tokens>(read());
    spdlog::info("the token file {} was read again: {} tokens", file_.string(),
                 fresh->all().size() - given_.all().size());
    const std::lock_guard lock(mutex_);
    tokens_ = std::move(fresh);
  } catch (const std::runtime_error& error) {
    spdlog::error("{}; the earlier tokens stay valid", error.what());
    return;
  }
  changed();
}

bool others_may_use(const std::filesystem::path& token_file) {
  using std::filesystem::perms;
  std::error_code failed;
  const perms has = std::filesystem::status(token_file, failed).permissions();
  return !failed && (has & (perms::group_write | perms::others_all)) != perms::none;
}

std::shared_ptr<const api::Tokens> Access::tokens() const {
  const std::lock_guard lock(mutex_);
  return tokens_;
}

net::Clock::duration Access::wait(std::string_view token, std::string_view visitor_key,
                                  const std::string& address) const {
  if (token.empty()) return {};
  const std::lock_guard lock(mutex_);
  if (!guesses_.slow(address, net::Clock::now())) return {};
  // Without a key it waits: else others behind the same address could guess at full speed.
  const bool seen = !visitor_key.empty() && seen_.find(name_of_both(token, visitor_key));
  return seen ? net::Clock::duration{} : GuessLimit::kWait;
}

std::variant<api::Grant, world::CommandError> Access::admit(std::string_view token,
                                                            std::string_view visitor_key,
                                                            const std::string& address) {
  const auto known = tokens();
  auto grant = known->find(token);
  if (token.empty()) return *std::move(grant);
  if (!grant && source_.find) grant = source_.find(token);
  const std::lock_guard lock(mutex_);
  if (grant) {
    if (!visitor_key.empty()) seen_.use(name_of_both(token, visitor_key), [] { return Seen(); });
    return *std::move(grant);
  }
  const auto now = net::Clock::now();
  const bool slow = guesses_.slow(address, now);
  guesses_.count_wrong(address, now);
  const std::string value = std::to_string(token.size()) + " characters";
  constexpr const char* kAllowed = "a token of this server, or none";
  if (!slow) {
    return api::make_error(Code::kForbidden, "this server does not know the token", "token", value,
                           kAllowed);
  }
  return api::make_error(Code::kRateLimited,
                         "this server does not know the token; there were too many wrong ones from "
                         "this address or others near it, so that answers to tokens take a second",
                         "token", value, kAllowed);
}

std::optional<api::Grant> Access::of_key(std::string_view key) const {
  const auto known = tokens();
  if (key.empty()) return known->find("");
  if (auto grant = known->of_key(key)) return grant;
  return source_.of_key ? source_.of_key(key) : std::nullopt;
}

}  // namespace promenade::service
