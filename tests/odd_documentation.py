"""Documentation as strangers write it: every kind of page, and front matter of every kind."""

from pathlib import Path

MATTERS = (
    "layout: {outline: {visible: false}, width: huge, cover: 7, title: {visible: maybe}}",
    "layout: wide",
    "layout: [wide]\nhidden: [true]\nnoIndex: 1\nnoRobotsIndex: {a: b}",
    "hidden: true\nnoIndex: 'yes'\nnoRobotsIndex: on",
    "cover: {light: a.png, dark: [b], mask: x}\ncoverY: top",
    "cover: ../.gitbook/assets/none.png\ncoverY: -12.5\ncoverHeight: 200",
    "cover: 12\ncoverDark: b.png",
    "icon: [bolt]\nemoji: ':rocket:'",
    f"icon: {'i' * 90}\nemoji: rocket ship",
    f"icon: bolt\nemoji: 1f680\ntitle: {'long ' * 80}",
    f"description: {'d' * 400}\ntags: [a, {{b: c}}]\nmetaLinks: {{alternates: [x]}}",
    "vars: {a: 1, b c: 2, d: [e], f: null, g: true, h: 1.5}",
    "vars: [a]\nif: [visitor]",
    "if: visitor.claims.beta ==",
    "if: visitor.claims.beta\nid: not/an/id",
    "title: {a: b}\ndescription: [c]\nid: 17",
    "title: ''\ndescription: null\nlayout: null\ncover: ''\nvars: {}\nif: ''",
)


def write_odd_documentation(folder: Path) -> None:
    """Fill a folder that does not exist yet."""
    (folder / ".gitbook" / "includes").mkdir(parents=True)
    (folder / ".gitbook" / "assets").mkdir()
    (folder / ".gitbook" / "assets" / "dot.png").write_bytes(b"no picture")
    (folder / ".gitbook" / "includes" / "note.md").write_text("---\ntitle: [x]\n---\n\nNote\n")
    (folder / ".gitbook" / "includes" / "void.md").write_text("")
    (folder / ".gitbook" / "vars.yaml").write_text("a: 1\nb c: 2\nd: [e]\nf: true\n")
    (folder / "README.md").write_text(
        "# Odd\n\n![](.gitbook/assets/dot.png)\n\n"
        '{% include ".gitbook/includes/note.md" %}\n\n[next](p0.md) [gone](none.md) {{ b.c }}\n'
    )
    (folder / "void.md").write_text("")
    lines = ["* [Odd](README.md)", "* [Void](void.md)", "* [Missing](missing.md)"]
    for number, matter in enumerate(MATTERS):
        (folder / f"p{number}.md").write_text(f"---\n{matter}\n---\n\n# P{number}\n\nText\n")
        lines.append(f"{'  ' * (number % 3 + 1)}* [P{number}](p{number}.md)")
    lines += [
        "", "##", "", "* [Away](https://example.com/a?b=c#d)", "* [Mail](mailto:a@example.com)",
        "* [Anchor](p1.md#part)", "* [File](.gitbook/assets/dot.png)", "* [Odd](<java script:x>)",
        "* Without a link", "  * [Void again](#)", "", "## Group", "",
        "* ```yaml", "  type: builtin:openapi", "  props:", "    models: true", "  dependencies:",
        "    spec:", "      ref:", "        kind: openapi", "        spec: pets", "  ```",
        "", "## Empty", "",
    ]  # fmt: skip
    (folder / "SUMMARY.md").write_text("\n".join(lines))
