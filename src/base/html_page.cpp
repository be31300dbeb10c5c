#include "base/html_page.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "base/utf8.h"
#include "base/version.h"

namespace myxtts::base {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// All colour pairs have a contrast of at least 4.5 : 1 in both schemes.
constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --paper: #ffffff; --card: #f5f6f8; --ink: #1b1f27;
  --soft: #535b69; --line: #d4d8df; --bar: #2f6fb0; --mark: #b3362b; --good: #17693a;
  --warn: #8a4b00; --link: #1a5fa8; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171c; --card: #1e2229; --ink: #e8eaee; --soft: #aab2bf; --line: #3a414c;
    --bar: #6aa9e6; --mark: #ff9a8d; --good: #7ad39b; --warn: #f0b768; --link: #8fc2f5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, .lead { overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-top: .75rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1rem 0 .5rem; }
p { margin: .5rem 0; }
a { color: var(--link); }
.lead, .note, figcaption, dt { color: var(--soft); }
.note, figcaption { font-size: .9rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; display: inline-block; padding: .5rem 1rem; }
dl.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
  gap: .75rem; margin: 1.25rem 0; }
dl.figures div { background: var(--card); border-radius: .5rem; padding: .6rem .8rem; }
dt { font-size: .85rem; }
dd { margin: 0; font-size: 1.2rem; font-weight: 600; overflow-wrap: anywhere; }
.good { color: var(--good); } .warn { color: var(--warn); }
.grid > div { min-width: 0; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
  gap: 1.25rem; }
figure { margin: 0; } figure svg { display: block; width: 100%; height: auto; }
figure img { display: block; max-width: 100%; height: auto; border-radius: .35rem; }
svg text { font: 12.5px system-ui, "Noto Sans", sans-serif; fill: var(--soft); }
svg .axis { stroke: var(--soft); stroke-width: 1; fill: none; }
svg .rule { stroke: var(--line); stroke-width: 1; }
svg .bar { fill: var(--bar); } svg .line { fill: none; stroke: var(--bar); stroke-width: 2.5; }
svg .second { stroke: var(--mark); stroke-dasharray: 6 3; }
svg .mark { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 5 3; }
svg .mark-label { fill: var(--mark); font-weight: 600; paint-order: stroke;
  stroke: var(--paper); stroke-width: 4px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: start; color: var(--soft); font-size: .9rem; padding-bottom: .35rem; }
th, td { text-align: start; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th[scope=col] { color: var(--soft); font-weight: 600; font-size: .9rem; }
td.n, th.n { text-align: end; white-space: nowrap; padding: .4rem 0 .4rem 1rem; }
pre, code { font: .9rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--card); border-radius: .5rem; padding: .75rem 1rem; margin: .5rem 0;
  white-space: pre-wrap; overflow-wrap: anywhere; }
article { background: var(--card); border-radius: .5rem; padding: 1rem; margin: 0 0 1.25rem; }
article .said { font-size: 1.1rem; margin: 0 0 .35rem; overflow-wrap: anywhere; }
article .phonemes { color: var(--soft); overflow-wrap: anywhere; margin: 0 0 .75rem; }
.players { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
  gap: .75rem 1.25rem; margin-top: .75rem; }
audio { display: block; width: 100%; max-width: 30rem; }
summary { cursor: pointer; color: var(--link); padding: .35rem 0; }
footer { margin-top: 3rem; color: var(--soft); font-size: .9rem; }
@media (max-width: 30rem) { svg text { font-size: 15px; } }
@media print { article, figure { break-inside: avoid; } audio { display: none; } }
)css";

bool is_unwanted_control(unsigned char byte) {
  return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F;
}

}  // namespace

std::string escape_html(std::string_view text) {
  const bool readable = is_utf8(text);
  std::string safe;
  safe.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '"') {
      safe += "&quot;";
    } else if (c == '\'') {
      safe += "&#39;";
    } else if (is_unwanted_control(byte) || (byte >= 0x80 && !readable)) {
      safe += kReplacement;
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string coded;
  coded.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t present = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t triple = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t byte = k < present ? static_cast<unsigned char>(bytes[i + k]) : 0U;
      triple = (triple << 8U) | byte;
    }
    const std::array<std::uint32_t, 4> digits = {
        triple >> 18U, (triple >> 12U) & 63U, (triple >> 6U) & 63U, triple & 63U};
    for (std::size_t k = 0; k < 4; ++k)
      coded += k <= present ? kAlphabet[digits[k]] : '=';
  }
  return coded;
}

std::string data_uri(std::string_view media_type, std::string_view bytes) {
  return fmt::format("data:{};base64,{}", media_type, base64(bytes));
}

std::string audio_player(std::string_view label, std::string_view subject, std::string_view wav) {
  return fmt::format(
      "<figure><figcaption>{0}</figcaption><audio controls preload=\"metadata\" aria-label=\"{0} "
      "of {1}\" src=\"{2}\"></audio></figure>\n",
      escape_html(label),
      escape_html(subject),
      data_uri("audio/wav", wav));
}

std::string picture(std::string_view description, std::string_view png, std::string_view caption) {
  return fmt::format("<figure><img src=\"{}\" alt=\"{}\">{}</figure>\n",
                     data_uri("image/png", png),
                     escape_html(description),
                     caption.empty()
                         ? std::string()
                         : fmt::format("<figcaption>{}</figcaption>", escape_html(caption)));
}

std::string page_footer() {
  return fmt::format(
      "<footer>Written by myxtts {}. This page is self-contained and uses no "
      "network.</footer>\n",
      escape_html(version()));
}

std::string render(const HtmlPage& page) {
  const std::string title = escape_html(page.title);
  std::string document;
  document.reserve(page.body.size() + kStyle.size() + 2048);
  document += fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n",
                          escape_html(page.language));
  document +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
      "media-src data:; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n";
  document += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n", title, kStyle);
  document +=
      "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<main id=\"content\">\n";
  document += fmt::format("<header>\n<h1>{}</h1>\n", title);
  if (!page.lead.empty()) {
    document += fmt::format("<p class=\"lead\">{}</p>\n", escape_html(page.lead));
  }
  document += "</header>\n";
  document += page.body;
  document += "</main>\n</body>\n</html>\n";
  return document;
}

}  // namespace myxtts::base
