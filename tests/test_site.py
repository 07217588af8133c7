"""The documentation as a site: it builds without a warning, its links lead somewhere, and the server's policy lets it run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytest.importorskip("mkdocs")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as `make docs` does: a broken link inside is an error."""
    folder = tmp_path_factory.mktemp("site")
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", folder], cwd=ROOT, env=environment, check=True
    )
    return folder


def test_every_guide_is_in_the_site(site):
    for guide in [*ROOT.glob("docs/*.md"), Path("index.md"), Path("contributing.md"), Path("changelog.md"), Path("reference.md")]:
        assert (site / f"{guide.stem}.html").exists(), guide.stem
    navigation = (site / "index.html").read_text(encoding="utf-8")
    assert [guide.stem for guide in ROOT.glob("docs/*.md") if f'href="{guide.stem}.html"' not in navigation] == []


def test_all_addresses_in_the_site_lead_to_a_file(site):
    missing = []
    for page in site.rglob("*.html"):
        for address in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text(encoding="utf-8")):
            outside = "://" in address or address.startswith(("data:", "mailto:"))
            if not outside and not (page.parent / unquote(address)).exists():
                missing.append(f"{page.relative_to(site)}: {address}")
    assert missing == []


def test_search_finds_guides_and_the_reference(site):
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    found = {entry["location"].partition("#")[0] for entry in index}
    assert {"index.html", "api.html", "reference.html", "server-reference.html"} <= found
    assert any("azalai.engine.position.Position.undo" in entry["location"] for entry in index)


def test_the_site_has_a_light_and_a_dark_scheme(site):
    page = (site / "index.html").read_text(encoding="utf-8")
    assert 'data-md-color-scheme="default"' in page
    assert 'data-md-color-scheme="slate"' in page


def test_the_site_loads_nothing_from_elsewhere_and_has_no_script_inside_a_page(site):
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?//', text.replace('rel="canonical"', "")), (
            page.name
        )
        assert "<script>" not in text, page.name


def test_every_table_of_the_guides_is_one_in_the_site(site):
    torn = [
        page.name for page in site.glob("*.html") if re.search(r"^<p>\|.*\|$|^\|-+\|", page.read_text(encoding="utf-8"), re.M)
    ]
    assert torn == []
