#include "net/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace promenade::net {
namespace {

using ::testing::HasSubstr;

TEST(Metrics, WritePrometheusText) {
  Metrics metrics;
  metrics.counter("requests_total", "Requests.", {{"kind", "a"}}).add(3);
  metrics.counter("requests_total", "Requests.", {{"kind", "b"}}).add();
  metrics.collect([](MetricsWriter& out) {
    out.family("load", "gauge", "Load.");
    out.sample({}, 0.5);
  });
  EXPECT_EQ(metrics.text(true),
            "# HELP requests_total Requests.\n# TYPE requests_total counter\n"
            "requests_total{kind=\"a\"} 3\nrequests_total{kind=\"b\"} 1\n"
            "# HELP load Load.\n# TYPE load gauge\nload 0.5\n");
}

TEST(Metrics, KeepOneCounterForANameAndItsLabels) {
  Metrics metrics;
  Counter& first = metrics.counter("n", "N.", {{"a", "1"}});
  for (int i = 0; i < 100; ++i) metrics.counter("n", "N.", {{"a", std::to_string(i)}});
  EXPECT_EQ(&first, &metrics.counter("n", "N.", {{"a", "1"}}));
  EXPECT_NE(&first, &metrics.counter("n", "N.", {{"a", "2"}}));
}

TEST(Metrics, EscapeLabels) {
  EXPECT_EQ(MetricsWriter::format({{"a", "x\"y\\z\n"}}), "{a=\"x\\\"y\\\\z\\n\"}");
}

TEST(Metrics, WriteNumbersThatCanBeReadBack) {
  MetricsWriter out(true);
  out.family("v", "gauge", "V.");
  out.sample({}, std::nan(""));
  out.sample({}, HUGE_VAL);
  out.sample({}, 12345678901234);
  out.sample({{"le", "1"}}, 2, "_bucket");
  const std::string text = out.take();
  EXPECT_THAT(text, HasSubstr("v NaN\n"));
  EXPECT_THAT(text, HasSubstr("v +Inf\n"));
  EXPECT_THAT(text, HasSubstr("v 12345678901234\n"));
  EXPECT_THAT(text, HasSubstr("v_bucket{le=\"1\"} 2\n"));
}

}  // namespace
}  // namespace promenade::net
