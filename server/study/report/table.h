#pragma once

#include <cstdio>
#include <string>
#include <variant>
#include <vector>

namespace promenade::study {

/// A figure, or words where there is none ("fell at 12.3 s").
using Figure = std::variant<double, std::string>;

/// A claim with the figure of its source, the figure that is required here and the measured one.
struct ReportRow {
  std::string id;      // short, never changes: "speed-0.8"
  std::string claim;   // what is measured, and how
  std::string source;  // the source's own figure; empty: none
  Figure asked, got;
  std::string unit;  // of both
  bool holds = false;
  std::string section = {};  // heading over it in the table for people
};

/// {"rows": [{"id", "claim", "source", "asked", "got", "unit", "holds"}]}, one row a line. Figures
/// are numbers, words are strings.
std::string rows_as_json(const std::vector<ReportRow>& rows);

/// Columns of text, as wide as their widest cell; the first column and those of words to the left,
/// numbers to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  void add(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> lines_;
};

/// The rows as tables for people, one for each run of rows of a section.
std::string rows_as_text(const std::vector<ReportRow>& rows);

/// A number with about three significant digits: 0.812, 12.3, 345, 1.2e-05.
std::string figure_text(const Figure& figure);

/// printf into a string.
std::string formatted(const char* format, ...) __attribute__((format(printf, 1, 2)));

bool all_hold(const std::vector<ReportRow>& rows);

}  // namespace promenade::study
