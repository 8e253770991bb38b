"""Documentation in the Git layout whose old paths lead to pages."""

from pathlib import Path

from content.git.layout import read_space
from content.git.space_import import SpaceImport
from content.sources.opening import open_source

CONFIG = """
root: ./docs
redirects:
  help/old: guide/setup.md
  Help/Anchored/: ./guide/setup.md#first-steps
  home: README.md
  guide: guide/setup.md
  deep/below/it: guide/more/deep.md
  secret: beta.md
  asset: picture.png
  nowhere: guide/gone.md
"""
FILES = {
    ".gitbook.yaml": CONFIG,
    "docs/README.md": "# Welcome\n\nSee [setup](guide/setup) and [deep](./guide/more/deep/).\n",
    "docs/guide/README.md": "# Guide\n\n[Setup](setup#first-steps), [more](more/).\n",
    "docs/guide/setup.md": "# Setup\n\n## First steps\n\n[Up](../guide), [deep](more/deep).\n",
    "docs/guide/more/README.md": "# More\n\n[home](/)\n",
    "docs/guide/more/deep.md": "# Deep\n\n[setup](../setup.md), [gone](../gone)\n",
    "docs/beta.md": "---\nif: visitor.claims.unsigned.beta\n---\n\n# Beta\n",
    "docs/picture.png": "no picture",
    "docs/SUMMARY.md": (
        "# Summary\n\n* [Welcome](README.md)\n* [Guide](guide/README.md)\n"
        "  * [Setup](guide/setup.md)\n  * [More](guide/more/README.md)\n"
        "    * [Deep](guide/more/deep.md)\n* [Beta](beta.md)\n"
    ),
}  # fmt: skip


def write_files(root: Path, files: dict[str, str] = FILES) -> Path:
    """The files below a folder."""
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")
    return root


def read_folder(root: Path) -> SpaceImport:
    """The space in a folder."""
    with open_source(root) as source:
        return read_space(source)
