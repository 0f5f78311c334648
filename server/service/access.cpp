#include "service/access.h"

#include <spdlog/spdlog.h>

#include <stdexcept>
#include <utility>

#include "api/replies.h"
#include "net/visitor.h"
#include "schema/message.h"
#include "schema/text.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

}  // namespace

std::chrono::seconds GuessLimit::wait(const std::string& key, net::Clock::time_point now) const {
  const Wrong* one = wrong_.find(key);
  if (!one || one->count < kMostWrong || one->until <= now) return std::chrono::seconds{0};
  return std::chrono::ceil<std::chrono::seconds>(one->until - now);
}

void GuessLimit::count_wrong(const std::string& key, net::Clock::time_point now) {
  Wrong& one = wrong_.use(key, [] { return Wrong(); });
  if (one.until <= now) one = {0, now + kWindow};
  if (++one.count == kMostWrong) one.until = now + kWindow;
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

std::variant<api::Grant, world::CommandError> Access::admit(std::string_view token,
                                                            const std::string& address) {
  const auto known = tokens();
  if (token.empty()) return *known->find(token);
  const std::string key = net::visitor_key(address);
  {
    const std::lock_guard lock(mutex_);
    if (const auto wait = guesses_.wait(key, net::Clock::now()); wait.count() > 0) {
      const std::string seconds = std::to_string(wait.count());
      return api::make_error(
          Code::kRateLimited,
          "too many wrong tokens from this address; try again in " + seconds + " s", "token",
          std::to_string(GuessLimit::kMostWrong) + " wrong ones in a minute",
          "at most " + std::to_string(GuessLimit::kMostWrong) + " wrong ones in a minute, or none");
    }
  }
  if (auto grant = known->find(token)) return *std::move(grant);
  if (source_.find) {
    if (auto grant = source_.find(token)) return *std::move(grant);
  }
  const std::lock_guard lock(mutex_);
  guesses_.count_wrong(key, net::Clock::now());
  return api::make_error(Code::kForbidden, "this server does not know the token", "token",
                         std::to_string(token.size()) + " characters",
                         "a token of this server, or none");
}

std::optional<api::Grant> Access::of_key(std::string_view key) const {
  const auto known = tokens();
  if (key.empty()) return known->find("");
  if (auto grant = known->of_key(key)) return grant;
  return source_.of_key ? source_.of_key(key) : std::nullopt;
}

}  // namespace promenade::service
