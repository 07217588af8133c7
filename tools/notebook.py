"""Run the cells of a notebook without Jupyter and keep what they show. `python -m tools.notebook docs/research.ipynb`."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def execute(notebook: dict[str, Any]) -> None:
    """Run all cells one after another in one namespace; put their outputs in place of the old ones."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        cell["execution_count"] = number
        cell["outputs"] = _run("".join(cell["source"]), number, namespace)


def _run(source: str, number: int, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    """Run one cell; return what it prints and what its last expression shows."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), namespace)
        shown = (
            eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace) if isinstance(last, ast.Expr) else None
        )
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)})
    if shown is not None:
        data = {kind: text.splitlines(keepends=True) for kind, text in _bundle(shown).items()}
        outputs.append({"output_type": "execute_result", "execution_count": number, "data": data, "metadata": {}})
    return outputs


def _bundle(shown: Any) -> dict[str, str]:
    """Return the forms in which a notebook can show a value."""
    if hasattr(shown, "_repr_mimebundle_"):
        bundle: dict[str, str] = shown._repr_mimebundle_()
        return bundle
    picture = {"image/svg+xml": shown._repr_svg_()} if hasattr(shown, "_repr_svg_") else {}
    return {**picture, "text/plain": repr(shown)}


def main() -> None:
    """Bring the outputs of a notebook up to date."""
    path = Path(sys.argv[1])
    notebook = json.loads(path.read_text(encoding="utf-8"))
    execute(notebook)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
