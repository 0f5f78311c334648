#include "net/metrics.h"

#include <cmath>
#include <cstdio>

namespace promenade::net {
namespace {

std::string format_value(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char text[40];
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    std::snprintf(text, sizeof text, "%.0f", value);
  } else {
    std::snprintf(text, sizeof text, "%.9g", value);
  }
  return text;
}

}  // namespace

std::string MetricsWriter::format(const Labels& labels) {
  if (labels.empty()) return "";
  std::string text = "{";
  for (const auto& [name, value] : labels) {
    if (text.size() > 1) text += ',';
    text += name + "=\"";
    for (const char c : value) {
      if (c == '\\' || c == '"') text += '\\';
      if (c == '\n') {
        text += "\\n";
      } else {
        text += c;
      }
    }
    text += '"';
  }
  return text + "}";
}

void MetricsWriter::family(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
  text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void MetricsWriter::sample(const Labels& labels, double value, std::string_view suffix) {
  text_.append(name_).append(suffix).append(format(labels)).append(" ");
  text_.append(format_value(value)).append("\n");
}

Counter& Metrics::counter(const std::string& name, const std::string& help, const Labels& labels) {
  const std::lock_guard lock(mutex_);
  Family& family = families_[name];
  family.help = help;
  for (Series& series : family.series) {
    if (series.labels == labels) return series.counter;
  }
  Series& series = family.series.emplace_back();
  series.labels = labels;
  return series.counter;
}

void Metrics::collect(Collector collector) {
  const std::lock_guard lock(mutex_);
  collectors_.push_back(std::move(collector));
}

std::string Metrics::text(bool all) const {
  const std::lock_guard lock(mutex_);
  MetricsWriter writer(all);
  for (const auto& [name, family] : families_) {
    writer.family(name, "counter", family.help);
    for (const Series& series : family.series) {
      writer.sample(series.labels, static_cast<double>(series.counter.value()));
    }
  }
  for (const Collector& collector : collectors_) collector(writer);
  return writer.take();
}

}  // namespace promenade::net
