#include "study/report/table.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>

namespace promenade::study {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += formatted("\\u%04x", unsigned(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string json_of(const Figure& figure) {
  if (const auto* words = std::get_if<std::string>(&figure)) return quoted(*words);
  const double value = std::get<double>(figure);
  return std::isfinite(value) ? formatted("%.6g", value) : "null";
}

// The number of characters, not of bytes: the text is UTF-8.
std::size_t width_of(const std::string& text) {
  return std::size_t(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.-+e %") == std::string::npos;
}

}  // namespace

std::string formatted(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string out(std::size_t(std::max(0, length)), '\0');
  std::vsnprintf(out.data(), out.size() + 1, format, again);
  va_end(again);
  return out;
}

std::string figure_text(const Figure& figure) {
  if (const auto* words = std::get_if<std::string>(&figure)) return *words;
  const double value = std::get<double>(figure);
  const double size = std::abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return formatted("%.2g", value);
  if (value == std::round(value)) return formatted("%.0f", value);
  return formatted(size < 10 ? "%.3f" : size < 100 ? "%.1f" : "%.0f", value);
}

std::string rows_as_json(const std::vector<ReportRow>& rows) {
  std::string out = "{\"rows\": [";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ReportRow& row = rows[i];
    out += i ? ",\n  " : "\n  ";
    out += "{\"id\": " + quoted(row.id) + ", \"claim\": " + quoted(row.claim) +
           ", \"source\": " + quoted(row.source) + ", \"asked\": " + json_of(row.asked) +
           ", \"got\": " + json_of(row.got) + ", \"unit\": " + quoted(row.unit) +
           ", \"holds\": " + (row.holds ? "true" : "false") + "}";
  }
  return out + "\n]}\n";
}

TextTable::TextTable(std::vector<std::string> header) { lines_.push_back(std::move(header)); }

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(lines_.front().size());
  lines_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  const std::size_t columns = lines_.front().size();
  std::vector<std::size_t> width(columns, 0);
  std::vector<bool> numbers(columns, true);
  for (std::size_t l = 0; l < lines_.size(); ++l) {
    for (std::size_t c = 0; c < columns; ++c) {
      width[c] = std::max(width[c], width_of(lines_[l][c]));
      if (l > 0 && !lines_[l][c].empty() && !is_number(lines_[l][c])) numbers[c] = false;
    }
  }
  numbers[0] = false;
  std::string out;
  for (std::size_t l = 0; l < lines_.size(); ++l) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string& cell = lines_[l][c];
      const std::string space(width[c] - width_of(cell), ' ');
      line += (c ? "  " : "") + (numbers[c] ? space + cell : cell + space);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
    if (l > 0) continue;
    for (std::size_t c = 0; c < columns; ++c) out += (c ? "  " : "") + std::string(width[c], '-');
    out += '\n';
  }
  return out;
}

std::string rows_as_text(const std::vector<ReportRow>& rows) {
  std::string out;
  for (std::size_t i = 0; i < rows.size();) {
    const std::string& section = rows[i].section;
    TextTable table({"", "id", "asked", "got", "unit", "source", "claim"});
    for (; i < rows.size() && rows[i].section == section; ++i) {
      const ReportRow& row = rows[i];
      table.add({row.holds ? "holds" : "FAILS", row.id, figure_text(row.asked),
                 figure_text(row.got), row.unit, row.source, row.claim});
    }
    if (!section.empty()) out += (out.empty() ? "" : "\n") + section + "\n\n";
    out += table.text();
  }
  return out;
}

bool all_hold(const std::vector<ReportRow>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const ReportRow& row) { return row.holds; });
}

}  // namespace promenade::study
