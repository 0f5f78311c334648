#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Numbers, names and refusals as they appear in messages for people. Files, commands, settings and
// requests all refuse a value in the words of refusal().
namespace promenade::schema {

/// A number as a person writes it: "0.6", "-12", "1e-05", "nan".
std::string number(double value);

/// "-3 to 3 m/s". @param unit  may be empty
std::string range_text(double low, double high, std::string_view unit = {});

/// `name` in double quotes, cut to `longest` bytes, control characters and quotes replaced: safe to
/// show and to log.
std::string in_quotes(std::string_view name, std::size_t longest = 60);

/// "one of a, b, ...", at most 20 of them; "none: there are none" of no names.
std::string listed_names(const std::vector<std::string>& names);

/// "links[3]"
std::string indexed(std::string_view list, std::size_t index);

/// "push.link is "tail"; allowed: one of head, torso"
std::string refusal(std::string_view field, std::string_view value, std::string_view allowed);

}  // namespace promenade::schema
