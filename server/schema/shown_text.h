#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace promenade::schema {

/// Why a text may not be shown to others.
struct TextFault {
  std::string value, allowed;  // for errors
};

/// Judges a text that somebody gives and others see: names, titles, descriptions, reasons. It
/// stands beside other text, so it may hold nothing that cannot be seen or that changes how the
/// text around it reads: no control characters, no marks, overrides or isolates of direction, no
/// private or unused code points; joiners and selectors of variants only where a script or a sign
/// needs them; marks that combine only after what they combine with, three at most. Source:
/// Unicode's general categories Cc, Cf, Co, Cs, Zl, Zp, and its list of default ignorable code
/// points.
/// @param most  bytes
/// @param noun  what the text is, for errors: "name"
/// @return nothing: it can be shown. An empty text can.
std::optional<TextFault> text_fault(std::string_view text, std::size_t most,
                                    std::string_view noun = "text");

}  // namespace promenade::schema
