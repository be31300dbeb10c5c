#include "corpus/report_examples.h"

#include <algorithm>

#include <fmt/format.h>

#include "audio/decode.h"
#include "audio/griffin_lim.h"
#include "audio/mel.h"
#include "audio/mel_picture.h"
#include "audio/mel_spec.h"
#include "audio/prepare.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/files.h"
#include "base/html_page.h"
#include "base/parallel.h"
#include "corpus/load_recording.h"
#include "text/front_end.h"

namespace myxtts::corpus {
namespace {

using base::escape_html;

constexpr std::uint64_t kGriffinLimSeed = 1;

audio::AudioClip read_waveform(const Corpus& corpus,
                               const Utterance& utterance,
                               double max_seconds) {
  const std::filesystem::path path = corpus.root / utterance.audio;
  audio::DecodeResult decoded =
      audio::decode(base::read_file_or_throw(path, kMaxAudioBytes), max_seconds);
  require(decoded.ok(),
          "{}: {} {}; the file changed after it was checked, run the same command again",
          path.string(),
          audio::name_of(decoded.fault),
          decoded.detail);
  return std::move(decoded.clip);
}

std::string example_html(const Example& example) {
  const std::string id = escape_html(example.id);
  std::string html = fmt::format("<example_html aria-label=\"Utterance {}\">\n", id);
  html += fmt::format("<p class=\"said\" dir=\"auto\">{}</p>\n", escape_html(example.text));
  html += fmt::format(
      "<p class=\"phonemes\"><span class=\"note\">phonemes</span> <code><bdi>{}"
      "</bdi></code></p>\n",
      escape_html(example.phonemes));
  html +=
      fmt::format("<p class=\"note\"><bdi>{}</bdi>{} &middot; {:.2f} s &middot; {} frames</p>\n",
                  id,
                  example.speaker.empty()
                      ? std::string()
                      : fmt::format(" &middot; <bdi>{}</bdi>", escape_html(example.speaker)),
                  example.seconds,
                  example.mel_length);
  html += base::picture(fmt::format("Mel spectrogram of {}: time from left to right, frequency "
                                    "upwards, brightness is level",
                                    example.id),
                        example.mel_png,
                        "");
  html += "<div class=\"players\">\n";
  html += base::audio_player("Recording", example.id, example.recording_wav);
  html += base::audio_player("From the mel (Griffin-Lim)", example.id, example.mel_wav);
  return html + "</div>\n</example_html>\n";
}

}  // namespace

std::vector<std::size_t> choose_examples(std::span<const Measurement> measured,
                                         std::size_t count,
                                         double max_seconds,
                                         double max_each_s) {
  std::vector<std::size_t> good;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (!measured[i].problem && measured[i].seconds <= max_each_s) good.push_back(i);
  }
  std::ranges::stable_sort(good, {}, [&](std::size_t i) { return measured[i].mel_length; });

  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < std::min(count, good.size()); ++k) {
    const std::size_t num_intervals = std::max<std::size_t>(1, std::min(count, good.size()) - 1);
    chosen.push_back(good[k * (good.size() - 1) / num_intervals]);
  }
  double total_s = 0.0;
  for (const std::size_t i : chosen)
    total_s += measured[i].seconds;
  while (!chosen.empty() && total_s > max_seconds) {  // the longest are at the end
    total_s -= measured[chosen.back()].seconds;
    chosen.pop_back();
  }
  return chosen;
}

std::vector<Example> make_examples(const Corpus& corpus,
                                   std::span<const std::size_t> chosen,
                                   std::span<const Measurement> measured,
                                   const config::Config& config,
                                   int num_workers,
                                   const std::function<void(std::size_t)>& on_done) {
  text::FrontEnd front_end(text::text_settings_of(config));
  const audio::ReferenceMel extractor(audio::mel_spec_of(config));
  const audio::MelSpec& spec = extractor.spec();

  std::vector<Example> examples(chosen.size());
  base::parallel_for(chosen.size(), num_workers, [&](std::size_t k) {
    const Utterance& utterance = corpus.utterances[chosen[k]];
    const audio::AudioClip clip = read_waveform(corpus, utterance, config.data.max_audio_length);
    const audio::Mel mel = extractor.log_mel(audio::prepare(clip, spec));
    const text::TextStages stages = front_end.run(utterance.text);
    const std::vector<float> restored =
        audio::griffin_lim(mel, spec, audio::kGriffinLimIterations, kGriffinLimSeed);
    examples[k] = {
        .id = utterance.id,
        .speaker = utterance.speaker,
        .text = utterance.text,
        .phonemes = stages.phonemes.empty() ? stages.normalised : stages.phonemes,
        .seconds = measured[chosen[k]].seconds,
        .mel_length = mel.num_frames,
        .mel_png = audio::mel_png(mel, spec, utterance.id),
        .recording_wav = audio::wav_bytes(clip.samples, clip.sample_rate),
        .mel_wav = audio::wav_bytes(restored, spec.sample_rate),
    };
    if (on_done) on_done(1);
  });
  return examples;
}

std::string examples_section(std::span<const Example> examples) {
  if (examples.empty()) return {};
  std::string html =
      "<section aria-labelledby=\"examples\">\n<h2 id=\"examples\">Listen</h2>\n"
      "<p>From the shortest to the longest. The second player is the mel inverted by Griffin-Lim, "
      "without a model. Detail that is missing there is missing in the mels, so no model can learn "
      "it. Loudness is normalised and silence at both ends is trimmed, as in training.</p>\n";
  for (const Example& example : examples)
    html += example_html(example);
  return html + "</section>\n";
}

}  // namespace myxtts::corpus
