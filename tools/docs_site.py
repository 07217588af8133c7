"""Hooks of the documentation's site (mkdocs.yml): pages made from other files, links that suit the site, no inline scripts.

A guide may link to any file of the repository, as readers there expect; the site has the guides alone, so it shows such a link as
text. Scripts inside pages become files, because the server's content security policy allows no others.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FROM_ROOT = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
REFERENCE = {
    "The package": ["azalai"],
    "Games and positions": ["azalai.engine.game.Game", "azalai.engine.position.Position", "azalai.engine.moves.Move"],
    "Many games at once": ["azalai.engine.batch.Batch", "azalai.arena.simulate", "azalai.arena.series.Series"],
    "Computer players": ["azalai.bots", "azalai.bots.search"],
    "Environments": ["azalai.envs.pettingzoo", "azalai.envs.gymnasium", "azalai.envs.openspiel"],
}


def on_files(files: Any, config: Any) -> Any:
    """Add the pages whose text is elsewhere."""
    from mkdocs.structure.files import File

    for page, source in FROM_ROOT.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    parts = [f"## {title}\n\n" + "".join(f"::: {name}\n\n" for name in names) for title, names in REFERENCE.items()]
    files.append(File.generated(config, "reference.md", content="# Reference\n\n" + "".join(parts)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Turn links as they are in the repository into links of the site."""
    docs = Path(config["docs_dir"])
    folder = ROOT if page.file.src_uri in FROM_ROOT else (docs / page.file.src_uri).parent
    pages = {ROOT / name: page_name for page_name, name in FROM_ROOT.items()}

    def target(address: str) -> str | None:
        path, _, anchor = address.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return address
        full = (folder / path).resolve()
        name = pages.get(full) or (full.relative_to(docs).as_posix() if full.is_relative_to(docs) else "")
        if not files.get_file_from_path(name):
            return None
        up: str = "../" * page.file.src_uri.count("/")
        return up + name + (f"#{anchor}" if anchor else "")

    def link(found: re.Match[str]) -> str:
        to = target(found[3])
        return f"{found[1]}[{found[2]}]({to})" if to else found[2]

    def image(found: re.Match[str]) -> str:
        return f'{found[1]}"{target(found[2]) or found[2]}"'

    markdown = re.sub(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)", link, markdown)
    return re.sub(r'(<img src=)"([^"]+)"', image, markdown)


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Move every script inside a page to a file."""
    folder = Path(config["site_dir"]) / "assets" / "scripts"
    folder.mkdir(parents=True, exist_ok=True)

    def move(found: re.Match[str]) -> str:
        name = f"{sha256(found[1].encode()).hexdigest()[:16]}.js"
        (folder / name).write_text(found[1], encoding="utf-8")
        up = "../" * page.file.dest_uri.count("/")
        return f'<script src="{up}assets/scripts/{name}"></script>'

    return re.sub(r"<script>(.*?)</script>", move, output, flags=re.DOTALL)


def on_post_build(config: Any) -> None:
    """Leave out the page for wrong addresses: the server has its own answer to these."""
    (Path(config["site_dir"]) / "404.html").unlink()
