"""Draws the icons of the installed page from its favicon, in the Chromium of the system: `python -m tools.icons`."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.visitor import find_chromium

PUBLIC = Path(__file__).resolve().parent.parent / "web" / "public"
SIZES = {"icon-180.png": 180, "icon-192.png": 192, "icon-512.png": 512, "icon-maskable-512.png": 512}


def main() -> None:
    """Write all icons."""
    art = (PUBLIC / "favicon.svg").read_text(encoding="utf-8")
    square = art.replace(' rx="7"', "").replace("a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z", "v7H0z")  # devices cut the corners themselves
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        for name, size in SIZES.items():
            drawing = art if name in ("icon-192.png", "icon-512.png") else square
            drawing = re.sub("<svg ", f'<svg width="{size}" height="{size}" ', drawing, count=1)
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}")
            page.screenshot(path=PUBLIC / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
