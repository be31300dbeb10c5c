// espeak-ng as a program of its own: it is GPL, not thread-safe, and some texts kill it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::text {

// IPA of one piece of text, or why there is none.
struct Pronounced {
  std::string phonemes;
  std::string fault;  // empty when phonemes hold
};

// "en" -> "en-us"; any other language is espeak-ng's voice of that name.
std::string espeak_voice_of(std::string_view language);

// Throws UsageError (with the nearest voice) when espeak-ng has no such voice, and UserError when
// it is not installed.
void require_espeak_voice(const std::string& voice);

// The program that phonemises the lines of its standard input, and what it is given for pieces.
std::vector<std::string> espeak_command(const std::string& voice);
std::string espeak_input(const std::string& voice, std::span<const std::string> pieces);

// One child for one piece: the plain twin. A crash or no answer within two seconds is the fault.
// A piece is one line without control characters and of at most 900 bytes. Throws UserError when
// espeak-ng cannot be found.
Pronounced pronounce_one(const std::string& voice, const std::string& piece);

// One child for all pieces, with the same results in the same order. When it fails, the pieces are
// halved until the one that kills it is alone: it has a fault, the others have their phonemes.
std::vector<Pronounced> pronounce_many(const std::string& voice,
                                       std::span<const std::string> pieces);

// Children of this process that died or gave no answer so far: each was started anew.
std::int64_t num_espeak_restarts();

// The groups of espeak-ng's answer, cut at its empty lines; marks of a switch of language "(en)"
// and digits of its own phoneme names ("q1") removed.
std::vector<std::string> parse_espeak_answer(std::string_view answer);

}  // namespace xtts::text
