"""`make docs`: it builds without a warning, every link inside leads somewhere, pages fit a telephone, and the search works from a file."""

import json
import re
import subprocess
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.verify.test_browsers import BROWSER, OPTIONS, open_page

ROOT = Path(__file__).parents[2]
SITE = ROOT / "out" / "docs"
pytestmark = [pytest.mark.verify, pytest.mark.xdist_group("site")]


@pytest.fixture(scope="module")
def site():
    """Build the documentation; return the paths of its HTML pages."""
    done = subprocess.run(["make", "docs"], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-3000:]
    return sorted(SITE.rglob("*.html"))


class PageLinks(HTMLParser):
    """HTML parser that collects the links of a page and its ids, which links can name."""

    def __init__(self):
        super().__init__()
        self.links, self.ids = [], set()

    def handle_starttag(self, tag, attributes):
        """Record the id and the links of a tag."""
        given = dict(attributes)
        self.ids |= {given["id"]} if given.get("id") else set()
        self.links += [given[name] for name in ("href", "src") if given.get(name)]


def page_links(page):
    """Return the parsed links and ids of a page."""
    found = PageLinks()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def test_every_link_leads_to_a_page_and_a_place(site):
    known = {page: page_links(page) for page in site}
    assert len(known) > 50
    wrong = []
    for page, found in known.items():
        for link in found.links:
            address, _, place = link.partition("#")
            if re.match(r"[a-z]+:", address):
                continue
            target = (page.parent / urllib.parse.unquote(address.partition("?")[0])).resolve() if address else page
            if not target.exists() or (place and target in known and urllib.parse.unquote(place) not in known[target].ids):
                wrong.append((str(page.relative_to(SITE)), link))
    assert wrong == []


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")
@pytest.mark.parametrize(
    "name", ["index", "tutorials/first-hour", "explanation/neighbours", "reference/symbols", "findings/dpzero", "gallery"]
)
@pytest.mark.parametrize("width", [390, 1200])
def test_a_page_opens_and_fits(site, name, width, tmp_path):
    found, console = open_page(SITE / f"{name}.html", tmp_path, width)
    facts = json.loads(found)
    assert facts["headings"] == 1
    assert facts["width"] <= facts["shown"] <= width
    assert console == []


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")
def test_the_search_works_from_a_file(site, tmp_path):
    address = f"{(SITE / 'search.html').as_uri()}?q=noise+multiplier"
    command = [BROWSER, *OPTIONS, f"--user-data-dir={tmp_path}", "--dump-dom", address]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300)
    results = re.findall(r'<li class="[^"]*"><a href="([^"#]*)', done.stdout)
    assert "tutorials/fine-tuning.html" in results
