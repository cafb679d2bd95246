"""The committed reports in a browser: they open without an error, and nothing is wider than a telephone. Skipped where there is none."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

BROWSER = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
REPORTS = sorted((Path(__file__).parents[2] / "figures" / "gallery").glob("*-report.html"))
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync",
           "--disable-component-update", "--allow-file-access-from-files", "--virtual-time-budget=20000")  # fmt: skip
# a page that opens another one in a frame of a given width, and writes facts about it into its own body
FRAME = """<!doctype html><meta charset="utf-8"><body><iframe src="{address}" style="width:{width}px;height:800px;border:0"></iframe>
<pre id="found">not loaded</pre><script>
addEventListener("load", () => {{
  const page = document.querySelector("iframe").contentDocument, root = page.documentElement;
  document.getElementById("found").textContent = JSON.stringify({{width: root.scrollWidth, shown: root.clientWidth,
    headings: page.querySelectorAll("h1").length, text: page.body.innerText.length}});
}});
</script>"""
pytestmark = [pytest.mark.verify, pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")]


def open_page(page, tmp_path, width):
    """Open a page in a browser at a given width; return the facts that it finds, as JSON text, and its console lines."""
    (tmp_path / "frame.html").write_text(FRAME.format(address=page.as_uri(), width=width), encoding="utf-8")
    command = [BROWSER, *OPTIONS, f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr", "--dump-dom"]
    done = subprocess.run(
        [*command, (tmp_path / "frame.html").as_uri()], capture_output=True, encoding="utf-8", errors="replace", timeout=300, check=True
    )
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    assert found, done.stdout[-500:]
    return html.unescape(found[1]), [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("page", REPORTS, ids=lambda page: page.stem)
def test_a_report_opens_and_fits(page, width, tmp_path):
    found, console = open_page(page, tmp_path, width)
    facts = json.loads(found)
    assert facts["headings"] == 1
    assert facts["text"] > 10_000
    assert facts["width"] <= facts["shown"] <= width
    assert console == []


def test_a_page_that_is_too_wide_is_noticed(tmp_path):
    (tmp_path / "wide.html").write_text("<!doctype html><h1>a</h1><div style='width:900px'>b</div>", encoding="utf-8")
    facts = json.loads(open_page(tmp_path / "wide.html", tmp_path, 390)[0])
    assert facts["width"] > facts["shown"]
