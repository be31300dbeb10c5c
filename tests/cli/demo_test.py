"""The demo a new user runs first, on fewer sentences, and the page it leaves."""

import html.parser
import json
import re
import subprocess

import pytest


@pytest.fixture(scope="module")
def demo(myxtts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "demo"
    answer = myxtts("demo", "--out", folder, "--utterances", "12", "--examples", "3")
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

    assert names.count("svg") >= 2
    assert names.count("img") >= 3
    assert names.count("audio") >= 6
    assert all(attributes.get("aria-label") or attributes.get("aria-labelledby")
               for tag, attributes in tags.seen if tag == "audio")


def test_a_second_run_makes_nothing_again(demo, myxtts):
    folder, _ = demo
    wavs = sorted((folder / "corpus").rglob("*.wav"))
    times = [path.stat().st_mtime_ns for path in wavs]

    answer = myxtts("demo", "--out", folder, "--utterances", "12", "--examples", "1", "--json")

    assert answer.returncode == 0
    json.loads(answer.stdout)
    assert [path.stat().st_mtime_ns for path in wavs] == times
