"""`myxtts demo` with few sentences, and its report page."""

import html.parser
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

REQUEST = ("--utterances", "24", "--voices", "slt")
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "judge_wer.py"
JUDGE = shlex.join([sys.executable, str(SCRIPT)])


@pytest.fixture(scope="module")
def demo(myxtts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "demo"
    result = myxtts("demo", "--out", folder, *REQUEST, "--minutes", "0.02", "--examples", "3",
                    "--judge", JUDGE)
    assert result.returncode == 0, result.stderr
    return folder, result


class TagParser(html.parser.HTMLParser):
    """Collects the tags with their attributes. Fails if a closing tag does not match the open tag."""

    VOID = {"meta", "img", "br", "hr", "link", "input", "source"}

    def __init__(self):
        super().__init__()
        self.tags, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()


def test_output_names_the_page_and_a_valid_next_command(demo):
    folder, result = demo

    assert f"{folder}/report.html" in result.stdout
    next_command = re.search(r"^Next: (.+)$", result.stderr, re.M)[1]
    assert subprocess.run(next_command, shell=True, cwd=folder, check=False).returncode == 0


def test_page_is_well_formed_and_self_contained(demo):
    folder, _ = demo
    page = (folder / "report.html").read_text()
    parser = TagParser()
    parser.feed(page)

    assert parser.open == []
    for tag, attributes in parser.tags:
        for name in ("src", "href", "srcset"):
            value = attributes.get(name) or ""
            assert not re.match(r"(https?:)?//", value), (tag, value)
        if tag == "img":
            assert attributes.get("alt")
            assert attributes["src"].startswith("data:image/")
    assert "@import" not in page


def test_page_has_histograms_images_and_audio_players(demo):
    folder, _ = demo
    parser = TagParser()
    parser.feed((folder / "report.html").read_text())
    names = [tag for tag, _ in parser.tags]

    page = (folder / "report.html").read_text()
    for section in ("spoken", "losses", "alignments", "check", "lengths", "limits", "examples"):
        assert f'<h2 id="{section}">' in page
    sentences = len((folder / "sentences.txt").read_text().splitlines())
    assert names.count("svg") >= 3 + 3  # lengths and limits, losses
    assert names.count("img") >= 2 * sentences + 1
    assert names.count("audio") >= 3 * sentences + 2  # recording, vocoder, Griffin-Lim
    assert page.count("<figcaption>Griffin-Lim</figcaption>") >= sentences
    assert all(attributes.get("aria-label") or attributes.get("aria-labelledby")
               for tag, attributes in parser.tags if tag == "audio")


def test_page_shows_word_errors_of_recordings_and_voice(demo):
    folder, result = demo
    page = (folder / "report.html").read_text()

    errors, words = map(int, re.search(r"^WER: [\d.]+ % \((\d+) of (\d+) words\)", result.stdout, re.M)
                        .groups())
    assert errors > words / 2  # a voice trained for a second is not intelligible
    rows = re.findall(r'row">(?:recordings|trained voice)</th><td class="n">(\d+)</td><td class="n">(\d+)</td>',
                      page)
    assert rows[1] == (str(errors), str(words))
    assert rows[0][1] == str(words) and int(rows[0][0]) < words / 2
    assert page.count(" words</strong>, transcript") == 2 * len(list((folder / "spoken").iterdir()))


def test_second_run_reuses_corpus_and_checkpoints(demo, myxtts):
    folder, _ = demo
    files = sorted((folder / "corpus").rglob("*.wav"))
    files += sorted((folder / "voice" / "checkpoints").rglob("*.safetensors"))
    files += sorted((folder / "voice" / "vocoder" / "checkpoints").rglob("*.safetensors"))
    times = [path.stat().st_mtime_ns for path in files]

    result = myxtts("demo", "--out", folder, *REQUEST, "--minutes", "0.01", "--examples", "1",
                    "--json")

    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["voice"]["sentences"] == len(list((folder / "recorded").iterdir()))
    assert "spoken" not in report["voice"]  # this run has no judge
    assert "judge_wer.py" in (folder / "report.html").read_text()
    assert [path.stat().st_mtime_ns for path in files] == times


def test_broken_judge_is_reported_before_training(demo, myxtts, tmp_path):
    result = myxtts("demo", "--out", tmp_path / "demo", "--utterances", "4", "--voices", "kal16",
                    "--minutes", "0.02", "--judge", "false")

    assert result.returncode == 1
    assert "the judge failed (exit code 1)" in result.stderr
    assert not (tmp_path / "demo" / "voice").exists()


def test_changed_corpus_restarts_training_and_archives_the_voice(demo, myxtts):
    folder, _ = demo

    result = myxtts("demo", "--out", folder, "--utterances", "20", "--voices", "kal16",
                    "--minutes", "0.01", "--examples", "0")

    assert result.returncode == 0, result.stderr
    assert "the corpus has changed" in result.stderr
    assert list((folder / "voice").glob("before_reset_1/checkpoints/step_*"))
    assert list((folder / "voice" / "vocoder").glob("before_reset_1/checkpoints/step_*"))


def test_stdout_and_stderr_in_one_file_keep_their_order(tmp_path):
    log = tmp_path / "demo.log"
    with log.open("wb") as file:
        result = subprocess.run([os.environ["MYXTTS"], "demo", "--out", tmp_path / "demo", "--utterances", "6",
                                 "--minutes", "0", "--examples", "0"], check=False, stdin=subprocess.DEVNULL,
                                stdout=file, stderr=subprocess.STDOUT, timeout=120)
    lines = log.read_text().splitlines()

    assert result.returncode == 0, lines
    # The log comes first, then the statistics, then the next command.
    stages = [index for index, line in enumerate(lines) if re.match(r"\[\d/\d\] ", line)]
    results = [index for index, line in enumerate(lines) if "report.html" in line and index not in stages]
    assert stages and results and max(stages) < min(results), lines
    assert [index for index, line in enumerate(lines) if line.startswith("Next: ")] == [len(lines) - 1], lines
