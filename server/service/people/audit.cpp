#include "service/people/audit.h"

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/spdlog.h>

#include <stdexcept>
#include <utility>

#include "api/replies.h"
#include "net/http/http_types.h"
#include "service/utc.h"

namespace promenade::service {
namespace {

constexpr std::size_t kLongestValue = 400;  // bytes of a value

}  // namespace

Audit::Audit(const std::filesystem::path& file, EventLog& log) : log_(log) {
  if (file.empty()) return;
  try {
    auto sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(file.string(), kMaxFileBytes,
                                                                       kMaxFiles);
    file_ = std::make_shared<spdlog::logger>("audit", std::move(sink));
  } catch (const spdlog::spdlog_ex& error) {
    throw std::runtime_error("the audit log " + file.string() +
                             " cannot be written: " + error.what());
  }
  file_->set_pattern("%v");
  file_->set_level(spdlog::level::info);
  file_->flush_on(spdlog::level::info);
  worker_ = std::make_unique<Worker>();
}

Audit::~Audit() = default;

void Audit::note(const Deed& deed) {
  if (!file_) {
    return log_.note(deed.action, {{"visitor", deed.visitor},
                                   {"name", deed.name},
                                   {"token", deed.token},
                                   {"address", deed.address},
                                   {"role", deed.role},
                                   {"room", deed.room},
                                   {"object", deed.object},
                                   {"outcome", deed.outcome},
                                   {"details", deed.details}});
  }
  const auto verdict = limit_.ask(deed.action, net::Clock::now());
  if (!verdict.write) return;
  std::string line = "{\"time\":\"" + utc_text(utc_now_ms()) + "\"";
  const auto add = [&line](const char* name, const std::string& value) {
    line += std::string(",\"") + name +
            "\":" + net::json_quote(api::as_utf8(value.substr(0, kLongestValue)));
  };
  add("action", deed.action);
  add("visitor", deed.visitor);
  add("name", deed.name);
  add("token", deed.token);
  add("address", deed.address);
  add("role", deed.role);
  add("room", deed.room);
  add("object", deed.object);
  add("outcome", deed.outcome);
  add("details", deed.details);
  if (verdict.left_out > 0) line += ",\"left_out\":" + std::to_string(verdict.left_out);
  line += '}';
  worker_->submit([this, line = std::move(line)] { file_->info("{}", line); });
}

}  // namespace promenade::service
