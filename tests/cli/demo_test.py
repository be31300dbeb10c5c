"""The demo a new user runs first, on fewer sentences, and the page it leaves."""

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
    answer = myxtts("demo", "--out", folder, *REQUEST, "--minutes", "0.02", "--examples", "3",
                    "--judge", JUDGE)
    assert answer.returncode == 0, answer.stderr
    return folder, answer


class Tags(html.parser.HTMLParser):
    """Collects the tags with their attributes, and complains about what is not closed."""

    VOID = {"meta", "img", "br", "hr", "link", "input", "source"}

    def __init__(self):
        super().__init__()
        self.seen, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()


def test_it_ends_with_the_page_and_the_next_command(demo):
    folder, answer = demo

    assert f"{folder}/report.html" in answer.stdout
    following = re.search(r"^Next: (.+)$", answer.stderr, re.M)[1]
    assert subprocess.run(following, shell=True, cwd=folder, check=False).returncode == 0


def test_the_page_is_whole_and_asks_nothing_of_a_network(demo):
    folder, _ = demo
    page = (folder / "report.html").read_text()
    tags = Tags()
    tags.feed(page)

    assert tags.open == []
    for tag, attributes in tags.seen:
        for name in ("src", "href", "srcset"):
            value = attributes.get(name) or ""
            assert not re.match(r"(https?:)?//", value), (tag, value)
        if tag == "img":
            assert attributes.get("alt")
            assert attributes["src"].startswith("data:image/")
    assert "@import" not in page


def test_the_page_has_histograms_pictures_and_players(demo):
    folder, _ = demo
    tags = Tags()
    tags.feed((folder / "report.html").read_text())
    names = [tag for tag, _ in tags.seen]

    page = (folder / "report.html").read_text()
    for section in ("spoken", "losses", "alignments", "check", "lengths", "limits", "examples"):
        assert f'<h2 id="{section}">' in page
    sentences = len((folder / "sentences.txt").read_text().splitlines())
    assert names.count("svg") >= 3 + 3  # lengths and limits, losses
    assert names.count("img") >= 2 * sentences + 1
    assert names.count("audio") >= 3 * sentences + 2  # recorded, vocoder, Griffin-Lim
    assert page.count("The same by Griffin-Lim") >= sentences
    assert all(attributes.get("aria-label") or attributes.get("aria-labelledby")
               for tag, attributes in tags.seen if tag == "audio")


def test_the_word_errors_of_both_are_on_the_page(demo):
    folder, answer = demo
    page = (folder / "report.html").read_text()

    errors, words = map(int, re.search(r"^WER: [\d.]+ % \((\d+) of (\d+) words\)", answer.stdout, re.M)
                        .groups())
    assert errors > words / 2  # nobody understands a voice after a second of training
    rows = re.findall(r'row">the [\w ]+</th><td class="n">(\d+)</td><td class="n">(\d+)</td>', page)
    assert rows[1] == (str(errors), str(words))
    assert rows[0][1] == str(words) and int(rows[0][0]) < words / 2
    assert page.count(" words</strong>, transcript") == 2 * len(list((folder / "spoken").iterdir()))


def test_a_second_run_makes_nothing_again(demo, myxtts):
    folder, _ = demo
    files = sorted((folder / "corpus").rglob("*.wav"))
    files += sorted((folder / "voice" / "checkpoints").rglob("*.safetensors"))
    files += sorted((folder / "voice" / "vocoder" / "checkpoints").rglob("*.safetensors"))
    times = [path.stat().st_mtime_ns for path in files]

    answer = myxtts("demo", "--out", folder, *REQUEST, "--minutes", "0.01", "--examples", "1",
                    "--json")

    assert answer.returncode == 0, answer.stderr
    said = json.loads(answer.stdout)
    assert said["voice"]["sentences"] == len(list((folder / "recorded").iterdir()))
    assert "spoken" not in said["voice"]  # nobody judged
    assert "judge_wer.py" in (folder / "report.html").read_text()
    assert [path.stat().st_mtime_ns for path in files] == times


def test_a_judge_that_does_not_work_is_found_out_before_training(demo, myxtts, tmp_path):
    answer = myxtts("demo", "--out", tmp_path / "demo", "--utterances", "4", "--voices", "kal16",
                    "--minutes", "0.02", "--judge", "false")

    assert answer.returncode == 1
    assert "the judge failed (exit code 1)" in answer.stderr
    assert not (tmp_path / "demo" / "voice").exists()


def test_another_corpus_starts_another_voice(demo, myxtts):
    folder, _ = demo

    answer = myxtts("demo", "--out", folder, "--utterances", "20", "--voices", "kal16",
                    "--minutes", "0.01", "--examples", "0")

    assert answer.returncode == 0, answer.stderr
    assert "the corpus has changed" in answer.stderr
    assert list((folder / "voice").glob("before_reset_1/checkpoints/step_*"))
    assert list((folder / "voice" / "vocoder").glob("before_reset_1/checkpoints/step_*"))


def test_streams_redirected_into_one_file_keep_their_order(tmp_path):
    log = tmp_path / "demo.log"
    with log.open("wb") as file:
        ended = subprocess.run([os.environ["MYXTTS"], "demo", "--out", tmp_path / "demo", "--utterances", "6",
                                "--minutes", "0", "--examples", "0"], check=False, stdin=subprocess.DEVNULL,
                               stdout=file, stderr=subprocess.STDOUT, timeout=120)
    lines = log.read_text().splitlines()

    assert ended.returncode == 0, lines
    # The log comes first, then the statistics, then the next command.
    stages = [index for index, line in enumerate(lines) if re.match(r"\[\d/\d\] ", line)]
    results = [index for index, line in enumerate(lines) if "report.html" in line and index not in stages]
    assert stages and results and max(stages) < min(results), lines
    assert [index for index, line in enumerate(lines) if line.startswith("Next: ")] == [len(lines) - 1], lines
