/* Streams a text with a trained voice as raw 16-bit samples: embed_c VOICE TEXT > speech.raw */
#include <stdio.h>

#include <myxtts/myxtts.h>

static int write_samples(const float* samples, size_t num_samples, void* user) {
  for (size_t i = 0; i < num_samples; ++i) {
    const short value = (short)(32767.0F * samples[i]);
    if (fwrite(&value, sizeof value, 1, (FILE*)user) != 1) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: embed_c VOICE TEXT > speech.raw\n");
    return 2;
  }
  myxtts_error* error = NULL;
  myxtts_speech* speech = NULL;
  myxtts_voice* voice = myxtts_voice_open(argv[1], NULL, &error);
  if (voice != NULL) speech = myxtts_voice_stream(voice, argv[2], NULL, write_samples, stdout, &error);
  for (size_t i = 0; i < myxtts_speech_num_words(speech); ++i)
    fprintf(stderr, "%6.2f  %s\n", myxtts_speech_word_start(speech, i), myxtts_speech_word(speech, i));

  const int code = myxtts_error_code(error);
  if (error != NULL) fprintf(stderr, "embed_c: %s\n", myxtts_error_message(error));
  myxtts_error_free(error);
  myxtts_speech_free(speech);
  myxtts_voice_free(voice);
  return code;
}
