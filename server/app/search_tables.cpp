#include "app/search_tables.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "schema/refusal.h"
#include "search/walking/evaluation.h"
#include "search/walking/figures.h"

namespace promenade::app {
namespace {

using search::Figure;
using search::Term;
using search::TrialKind;
using Row = std::vector<std::string>;

// Columns side by side, numbers to the right; the first row is their heads.
void print_columns(const std::vector<Row>& rows, std::size_t words) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - row[i].size(), ' ');
      line += (i ? "  " : "") + (i < words ? row[i] + space : space + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
  }
  std::printf("\n");
}

std::string short_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// "0.6 +- 0.05 m/s", "at most 0.5 +- 0.2"
std::string wish_of(const Term& term) {
  const char* want = term.want == Term::Want::kTarget    ? ""
                     : term.want == Term::Want::kAtLeast ? "at least "
                                                         : "at most ";
  std::string text = want + schema::number(term.wanted) + " +- " + schema::number(term.scale);
  if (*term.figure->unit) text.append(" ").append(term.figure->unit);
  return text;
}

// Trial, figure, wish and weight of each term.
std::vector<Row> rows_of(const search::Objective& objective) {
  std::vector<Row> rows;
  rows.push_back({"trial", "figure", "wanted", "weight"});
  for (const search::Trial& trial : objective.trials) {
    for (const Term& term : trial.terms) {
      rows.push_back({trial.name, term.figure->name, wish_of(term), schema::number(term.weight)});
    }
  }
  rows.push_back({"score", "", "", ""});
  return rows;
}

void add_column(std::vector<Row>& rows, const std::string& head, const std::vector<double>& values,
                const std::vector<double>& penalties, double score) {
  rows.front().insert(rows.front().end(), {head, "penalty"});
  for (std::size_t i = 0; i < values.size(); ++i) {
    rows[i + 1].insert(rows[i + 1].end(), {short_number(values[i]), short_number(penalties[i])});
  }
  rows.back().insert(rows.back().end(), {"", short_number(score)});
}

void add_terms(std::vector<Row>& rows, const std::string& head,
               const std::vector<v1::SearchTerm>& terms, double score) {
  std::vector<double> values, penalties;
  for (const v1::SearchTerm& term : terms) {
    values.push_back(term.value());
    penalties.push_back(term.penalty());
  }
  add_column(rows, head, values, penalties, score);
}

constexpr std::size_t kWords = 3;  // columns of words in tables of terms

}  // namespace

void print_figures() {
  std::vector<Row> rows;
  rows.push_back({"figure", "unit", "of", "meaning"});
  for (const Figure& figure : search::figures()) {
    const bool walk = figure.has(TrialKind::kWalk), push = figure.has(TrialKind::kPush);
    rows.push_back({figure.name, figure.unit,
                    walk && push ? "walk, push"
                    : walk       ? "walk"
                                 : "push",
                    figure.meaning});
  }
  print_columns(rows, 4);
}

void print_parameters(const search::ParameterVector& parameters,
                      const search::SearchResult& result) {
  std::vector<Row> rows;
  rows.push_back({"parameter", "low", "high", "start", "best", "centre"});
  for (int i = 0; i < parameters.size(); ++i) {
    rows.push_back({parameters.path(i), short_number(parameters.low(i)),
                    short_number(parameters.high(i)),
                    search::number_text(parameters.value(i, parameters.start()[i])),
                    search::number_text(parameters.value(i, result.best[i])),
                    search::number_text(parameters.value(i, result.centre[i]))});
  }
  print_columns(rows, 1);
}

void print_terms(const search::WalkingProblem& problem, const search::SearchResult& result) {
  std::vector<Row> rows = rows_of(problem.objective);
  add_terms(rows, "start", result.start_terms, result.start_score);
  add_terms(rows, "best", result.best_terms, result.best_score);
  print_columns(rows, kWords);
}

void print_check(const search::WalkingProblem& problem, const search::SearchResult& result,
                 std::uint64_t seed, int count, int threads) {
  const std::vector<search::Vector> points{problem.parameters.start(), result.best, result.centre};
  const std::vector<search::Outcome> scores =
      search::evaluate(problem.objective, problem.parameters, points,
                       search::held_out_seeds(problem.objective, seed, count), threads);
  std::printf("\nWith %d seed%s that the search did not have:\n", count, count == 1 ? "" : "s");
  std::vector<Row> rows = rows_of(problem.objective);
  const char* const heads[] = {"start", "best", "centre"};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    std::vector<double> values, penalties;
    for (const search::TermResult& term : scores[i].terms) {
      values.push_back(term.value);
      penalties.push_back(term.penalty);
    }
    add_column(rows, heads[i], values, penalties, scores[i].score);
  }
  print_columns(rows, kWords);
}

}  // namespace promenade::app
