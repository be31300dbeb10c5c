// myxtts text: shows each stage of the text front end.

#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/terminal.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "config/config.h"
#include "text/front_end.h"

namespace myxtts::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kTextExamples = R"(
Examples:
  myxtts text 'Dr. Smith paid $1,234.56 on May 3, 1998.'
  myxtts text --no-use-phonemes "The FBI met at 10:30."     graphemes instead of phonemes
  myxtts text --language fa "قیمت ۲۳ درصد بالا رفت."
  echo "Read from a pipe." | myxtts text - --json)";

struct TextArgs {
  std::string text;
  bool json = false;
  ConfigArgs config;
};

// Reads more than the front end accepts, so that the front end reports the length.
std::string read_text_from_standard_input() {
  constexpr std::size_t kLimit = std::size_t{1} << 20U;
  std::string input(kLimit, '\0');
  std::cin.read(input.data(), static_cast<std::streamsize>(kLimit));
  input.resize(static_cast<std::size_t>(std::cin.gcount()));
  while (!input.empty() && (input.back() == '\n' || input.back() == '\r'))
    input.pop_back();
  return input;
}

void print_text_json(const text::TextStages& stages, const text::FrontEnd& front_end) {
  const nlohmann::ordered_json output = {{"raw", stages.raw},
                                         {"normalised", stages.normalised},
                                         {"phonemes", stages.phonemes},
                                         {"symbols", stages.symbols},
                                         {"ids", stages.ids},
                                         {"count", stages.ids.size()},
                                         {"dropped", stages.dropped},
                                         {"fault", stages.fault},
                                         {"symbol_table",
                                          {{"version", front_end.symbols().version()},
                                           {"size", front_end.symbols().size()},
                                           {"sha256", front_end.symbols().hash()}}}};
  // A raw text that is not UTF-8 is reported as a fault; JSON cannot hold its bytes.
  fmt::print("{}\n", output.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Escapes control characters and bytes that are not UTF-8. Cuts texts beyond the length limit.
std::string escape_text(const std::string& raw) {
  std::string shown;
  const bool is_text = base::is_utf8(raw);
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (shown.size() > 4 * text::kMaxTextCharacters && (c & 0xC0) != 0x80) return shown + "...";
    const auto byte = static_cast<unsigned char>(c);
    // The control characters U+0080 to U+009F take two bytes; some terminals obey them.
    const auto second = static_cast<unsigned char>(i + 1 < raw.size() ? raw[i + 1] : '\0');
    if (is_text && byte == 0xC2 && second < 0xA0) {
      shown += fmt::format("\\u{:04x}", second);
      ++i;
      continue;
    }
    const bool is_printable = byte >= 0x20 && byte != 0x7f && (byte < 0x80 || is_text);
    if (is_printable) {
      shown += c;
    } else {
      shown += fmt::format("\\x{:02x}", byte);
    }
  }
  return shown;
}

void print_stages(const text::TextStages& stages) {
  fmt::print("raw         {}\n", escape_text(stages.raw));
  if (!stages.normalised.empty()) fmt::print("normalised  {}\n", escape_text(stages.normalised));
  if (!stages.phonemes.empty()) fmt::print("phonemes    {}\n", escape_text(stages.phonemes));
  if (!stages.ids.empty()) {
    fmt::print("symbols    ");
    for (std::size_t i = 0; i < stages.ids.size(); ++i) {
      const std::string& symbol = stages.symbols[i];
      fmt::print(" {}:{}", symbol == " " ? "space" : symbol, stages.ids[i]);
    }
    fmt::print("\ncount       {} symbols\n", stages.ids.size());
  }
  if (!stages.dropped.empty()) {
    fmt::print("dropped     {}  (no symbol for these)\n", fmt::join(stages.dropped, " "));
  }
}

void run_text(const TextArgs& args) {
  const config::Config config = resolve(args.config);
  text::FrontEnd front_end(text::text_settings_of(config));
  const text::TextStages stages =
      front_end.run(args.text == "-" ? read_text_from_standard_input() : args.text);

  args.json ? print_text_json(stages, front_end) : print_stages(stages);
  if (stages.fault.empty()) {
    base::log("Next: check all texts of a corpus: myxtts corpus check DIR\n");
    return;
  }
  base::log("myxtts: the text cannot be synthesised: {}\n", stages.fault);
  throw ProblemsFound();
}

}  // namespace

void add_text_command(CLI::App& app) {
  auto args = std::make_shared<TextArgs>();
  CLI::App* command =
      app.add_subcommand("text", "Show normalisation, phonemes and symbols of a text");
  command->footer(kTextExamples);
  command->add_option("TEXT", args->text, "Text; '-': standard input")->type_name("")->required();
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  add_config_options(*command,
                     args->config,
                     {"data.language",
                      "data.use_phonemes",
                      "data.phoneme_language",
                      "data.text_cleaners",
                      "data.add_blank"});
  command->callback([args] { run_text(*args); });
}

}  // namespace myxtts::cli
