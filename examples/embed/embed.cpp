// Speaks a text with a trained voice: embed_cpp VOICE TEXT OUT.wav
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include <myxtts/voice.h>

namespace {

void put(std::ofstream& file, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    file.put(static_cast<char>(value >> (8 * i)));
}

void write_wav(const char* path, const myxtts::Speech& speech, int rate) {
  std::ofstream file(path, std::ios::binary);
  const auto bytes = static_cast<std::uint32_t>(2 * speech.samples.size());
  file << "RIFF", put(file, 36 + bytes, 4), file << "WAVEfmt ", put(file, 16, 4);
  put(file, 1, 2), put(file, 1, 2);  // PCM, mono
  put(file, rate, 4), put(file, 2 * rate, 4), put(file, 2, 2), put(file, 16, 2);
  file << "data", put(file, bytes, 4);
  for (const float sample : speech.samples)
    put(file, static_cast<std::uint32_t>(static_cast<std::int32_t>(32767.0F * sample)), 2);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) return std::fprintf(stderr, "usage: embed_cpp VOICE TEXT OUT.wav\n"), 2;
  myxtts::Voice voice = myxtts::Voice::open(argv[1]);
  const myxtts::Speech speech = voice.speak(argv[2]);
  for (const myxtts::Word& word : speech.words)
    std::printf("%6.2f %6.2f  %s\n", word.start_s, word.end_s, word.text.c_str());
  write_wav(argv[3], speech, voice.sample_rate());
} catch (const std::exception& error) {
  std::fprintf(stderr, "embed_cpp: %s\n", error.what());
  return 1;
}
