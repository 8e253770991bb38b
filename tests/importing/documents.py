"""Documents of other programs, built by hand: what imports are tested with."""

import io
import struct
import zipfile
import zlib

_CONTENT_TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>
<Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/>
</Types>"""
_RELATIONS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>"""
_DOCUMENT_RELATIONS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/image1.png"/>
<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://docs.example/x?a=1&amp;b=2" TargetMode="External"/>
<Relationship Id="rId4" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/>
<Relationship Id="rId6" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/>
<Relationship Id="rId5" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/>
</Relationships>"""
_STYLES = """<?xml version="1.0" encoding="UTF-8"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="SourceCode"><w:name w:val="Source Code"/></w:style>
<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/></w:style>
<w:style w:type="paragraph" w:styleId="ListContinue2"><w:name w:val="List Continue 2"/></w:style>
<w:style w:type="character" w:styleId="VerbatimChar"><w:name w:val="Verbatim Char"/></w:style>
</w:styles>"""
NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
)
_BODY = """
<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>The Handbook</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Start</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">Plain, </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r>
<w:r><w:t xml:space="preserve"> and </w:t></w:r><w:r><w:rPr><w:rStyle w:val="VerbatimChar"/></w:rPr><w:t>code</w:t></w:r>
<w:r><w:t xml:space="preserve">, a </w:t></w:r><w:hyperlink r:id="rId3"><w:r><w:t>link</w:t></w:r></w:hyperlink>
<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t>.</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Code</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="SourceCode"/></w:pPr><w:r><w:t>first line</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="SourceCode"/></w:pPr><w:r><w:t xml:space="preserve">  second line</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Key</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Value</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>a|b</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☒</w:t></w:r></w:sdtContent></w:sdt><w:r><w:t xml:space="preserve"> done</w:t></w:r></w:p>
<w:p><w:r>%s</w:r></w:p><w:p><w:r>%s</w:r></w:p>
"""
_PICTURE = """<w:drawing><wp:inline><wp:docPr id="1" name="p" descr="A dot"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/></pic:nvPicPr><pic:blipFill><a:blip %s/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>"""
WORD_PICTURE = _PICTURE % 'r:embed="rId2"'
_FOOTNOTES = f"""<?xml version="1.0" encoding="UTF-8"?>
<w:footnotes {NAMESPACES}><w:footnote w:id="2"><w:p><w:r><w:t>A remark.</w:t></w:r></w:p></w:footnote></w:footnotes>"""


def png(width: int = 2, height: int = 1) -> bytes:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    rows = b"".join(b"\0" + b"\xff\0\0" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    end = chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + end


def archive(files: dict[str, bytes | str]) -> bytes:
    """A zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for path, data in files.items():
            made.writestr(path, data)
    return buffer.getvalue()


_LEVELS = "".join(
    f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="%s"/></w:lvl>'
    for level in range(9)
)
_NUMBERING = (
    f'<?xml version="1.0"?><w:numbering {NAMESPACES}>'
    + "".join(
        f'<w:abstractNum w:abstractNumId="{id}">{_LEVELS.replace("%s", kind)}</w:abstractNum>'
        for id, kind in ((1, "bullet"), (2, "decimal"))
    )
    + "".join(f'<w:num w:numId="{id}"><w:abstractNumId w:val="{id}"/></w:num>' for id in (1, 2))
    + "</w:numbering>"
)


def word_paragraph(text: str, style: str = "", number: tuple[int, bool] | None = None) -> str:
    """A paragraph of Word; `number` is the level of a list, from 0, and whether it has numbers."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    if number is not None:
        level, ordered = number
        properties += (
            f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{1 + ordered}"/></w:numPr>'
        )
    run = f"<w:r><w:t>{text}</w:t></w:r>" if text else f"<w:r>{WORD_PICTURE}</w:r>"
    return f"<w:p><w:pPr>{properties}</w:pPr>{run}</w:p>"


def docx(body: str | None = None, **parts: str) -> bytes:
    """A Word document; `parts` replace those of the package by name (`styles`, `document`,
    `numbering`, `core`)."""
    if body is None:
        inside, outside = _PICTURE % 'r:embed="rId2"', _PICTURE % 'r:link="rId4"'
        body = _BODY % (inside, outside)
    document = f'<?xml version="1.0"?><w:document {NAMESPACES}><w:body>{body}</w:body></w:document>'
    return archive(
        {
            "[Content_Types].xml": _CONTENT_TYPES,
            "_rels/.rels": _RELATIONS,
            "word/document.xml": parts.get("document", document),
            "word/_rels/document.xml.rels": _DOCUMENT_RELATIONS,
            "word/styles.xml": parts.get("styles", _STYLES),
            "word/footnotes.xml": _FOOTNOTES,
            "word/numbering.xml": parts.get("numbering", _NUMBERING),
            **({"docProps/core.xml": parts["core"]} if "core" in parts else {}),
            "word/media/image1.png": png(),
        }
    )


def epub(*, version: int = 3) -> bytes:
    """A book of four chapters, one below another, with both kinds of tables of contents."""
    chapters = {
        "one": ("One", '<p>First. See <a href="two.xhtml#Deep">two</a>.</p>'
                '<p>Word<a epub:type="noteref" href="#n1">1</a></p>'
                '<aside epub:type="footnote" id="n1"><p>The note.</p></aside>'
                '<p><img src="../images/dot.png" alt="Dot"/></p>'),
        "two": ("Two", '<h2 id="Deep">Deep</h2><pre><code class="language-py">x = 1</code></pre>'),
        "three": ("Three", "<p>Third.</p><a id='end'/><p>After the anchor.</p>"),
        "four": ("Four", "<p>Not in the contents.</p>"),
    }  # fmt: skip
    items = "".join(
        f'<item id="{name}" href="text/{name}.xhtml" media-type="application/xhtml+xml"/>'
        for name in chapters
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    properties = 'properties="nav"' if version == 3 else ""
    files: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
        f'<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" {properties}/>'
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        f'{items}</manifest><spine toc="ncx">{spine}</spine></package>',
        "OEBPS/nav.xhtml": '<html xmlns:epub="http://www.idpf.org/2007/ops"><body>'
        '<nav epub:type="toc"><ol><li><a href="text/one.xhtml">Chapter one</a>'
        '<ol><li><a href="text/two.xhtml">Chapter two</a></li></ol></li>'
        '<li><a href="text/three.xhtml">Chapter three</a></li></ol></nav></body></html>',
        "OEBPS/toc.ncx": '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>'
        '<navPoint><navLabel><text>Chapter one</text></navLabel><content src="text/one.xhtml"/>'
        '<navPoint><navLabel><text>Chapter two</text></navLabel><content src="text/two.xhtml"/>'
        "</navPoint></navPoint><navPoint><navLabel><text>Chapter three</text></navLabel>"
        '<content src="text/three.xhtml"/></navPoint></navMap></ncx>',
        "OEBPS/images/dot.png": png(),
    }
    for name, (title, body) in chapters.items():
        files[f"OEBPS/text/{name}.xhtml"] = (
            f'<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'
            f"<head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"
        )
    return archive(files)


def _wiki_page(title: str, body: str, attachments: str = "") -> str:
    """A page as the HTML export of a Confluence space has it."""
    return f"""<!DOCTYPE html><html><head><title>Docs : {title}</title></head>
<body class="theme-default aui-theme-default"><div id="page"><div id="main" class="aui-page-panel">
<div id="main-header"><div id="breadcrumb-section"><ol id="breadcrumbs"><li class="first"><span>
<a href="index.html">Docs</a></span></li></ol></div><h1 id="title-heading" class="pagetitle">
<span id="title-text"> Docs : {title} </span></h1></div><div id="content" class="view">
<div class="page-metadata"> Created by <span class="author">Ada</span></div>
<div id="main-content" class="wiki-content group">{body}</div>{attachments}</div></div>
<div id="footer" role="contentinfo"><section class="footer-body">Generated by Confluence</section>
</div></div></body></html>"""


def confluence() -> bytes:
    """The HTML export of a space with a tree of three pages and one beside it."""
    setup = """<h1 id="Setup-First">First</h1><p>See <a href="Usage_3.html#Usage-Options">usage</a>.</p>
<div class="confluence-information-macro confluence-information-macro-note"><p class="title">Mind</p>
<span class="aui-icon aui-icon-small aui-iconfont-warning confluence-information-macro-icon"></span>
<div class="confluence-information-macro-body"><p>the gap</p></div></div>
<div class="code panel pdl"><div class="codeHeader panelHeader pdl"><b>run.sh</b></div>
<div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre"
data-syntaxhighlighter-params="brush: bash; gutter: false; theme: Confluence">echo "&lt;hi&gt;"
exit</pre></div></div>
<div id="expander-1" class="expand-container"><div id="expander-control-1" class="expand-control">
<span class="expand-control-icon"><img class="expand-control-image"></span>
<span class="expand-control-text">Details</span></div>
<div id="expander-content-1" class="expand-content"><p>inside</p></div></div>
<ul class="inline-task-list"><li class="checked" data-inline-task-id="1">done</li>
<li data-inline-task-id="2">open</li></ul>
<p><span class="confluence-embedded-file-wrapper"><img class="confluence-embedded-image"
src="attachments/2/9.png" data-image-src="attachments/2/9.png" alt="Plan"></span></p>
<div class="table-wrap"><table class="confluenceTable"><tbody><tr><th class="confluenceTh">Name</th>
<th class="confluenceTh">Meaning</th></tr><tr><td class="confluenceTd">a</td>
<td class="confluenceTd"><p>one</p><p>two</p></td></tr></tbody></table></div>"""
    attachments = """<div class="pageSection group"><div class="pageSectionHeader">
<h2 id="attachments" class="pageSectionTitle">Attachments:</h2></div><div class="greybox">
<a href="attachments/2/9.png">plan.png</a></div></div>"""
    index = """<html><head><title>Docs (Confluence)</title></head><body><div class="pageSection">
<h2>Available Pages:</h2><ul><li><a href="Home_1.html">Home</a> <ul><li><a href="Setup_2.html">
Setup</a></li><li><a href="Usage_3.html">Usage</a></li></ul></li></ul></div></body></html>"""
    return archive(
        {
            "DOCS/index.html": index,
            "DOCS/Home_1.html": _wiki_page("Home", "<p>Welcome.</p>"),
            "DOCS/Setup_2.html": _wiki_page("Setup", setup, attachments),
            "DOCS/Usage_3.html": _wiki_page("Usage", '<h2 id="Usage-Options">Options</h2><p>x</p>'),
            "DOCS/Lost_4.html": _wiki_page("Lost", "<p>In no list.</p>"),
            "DOCS/attachments/2/9.png": png(),
            "DOCS/attachments/2/unused.png": png(3, 3),
            "DOCS/styles/site.css": "body{}",
        }
    )


ROOT_ID = "0" * 31 + "1"
CHILD_ID = "0" * 31 + "2"
OTHER_ID = "0" * 31 + "3"


def notion_html() -> bytes:
    """An HTML export of a page with two below it."""
    root = f"""<html><head><title>Team</title></head><body><article id="x" class="page sans">
<header><div class="page-header-icon undefined"><span class="icon">🏠</span></div>
<h1 class="page-title">Team</h1><p class="page-description"></p></header><div class="page-body">
<p id="a">Welcome <strong>all</strong>.</p>
<figure id="b"><a href="Team%20{ROOT_ID}/Zebra%20{OTHER_ID}.html">Zebra</a></figure>
<figure id="c" class="link-to-page"><a href="Team%20{ROOT_ID}/Apple%20{CHILD_ID}.html">Apple</a></figure>
</div></article></body></html>"""
    apple = """<html><body><article class="page sans"><header><h1 class="page-title">Apple</h1>
<table class="properties"><tbody><tr><th>Status</th><td>Done</td></tr></tbody></table></header>
<div class="page-body"><figure class="block-color-gray callout" style="display:flex"><div><span class="icon">💡
</span></div><div style="width:100%">Remember <em>this</em></div></figure>
<ul class="toggle"><li><details open=""><summary>More</summary><p>hidden</p></details></li></ul>
<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">
bought</span><div class="indented"></div></li></ul>
<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">
missing</span></li></ul>
<pre class="code"><code class="language-JavaScript">let x;</code></pre>
<figure class="image"><a href="Apple/dot.png"><img style="width:10px" src="Apple/dot.png"></a>
<figcaption>A dot</figcaption></figure>
<figure class="equation"><style>x</style><div class="equation-container"><span class="katex-display"><span class="katex">
<span class="katex-mathml"><math><semantics><mrow><mi>a</mi></mrow><annotation encoding="application/x-tex">a^2</annotation>
</semantics></math></span><span class="katex-html" aria-hidden="true">a2</span></span></span></div></figure>
<figure><a href="https://docs.example/" class="bookmark source"><div class="bookmark-info">Docs</div></a></figure>
<div class="column-list"><div class="column"><p>left</p></div><div class="column"><p>right</p></div></div>
</div></article></body></html>"""
    zebra = """<html><body><article class="page"><header><h1 class="page-title">Zebra</h1></header>
<div class="page-body"><p>Stripes.</p></div></article></body></html>"""
    return archive(
        {
            f"Team {ROOT_ID}.html": root,
            f"Team {ROOT_ID}/Apple {CHILD_ID}.html": apple,
            f"Team {ROOT_ID}/Zebra {OTHER_ID}.html": zebra,
            f"Team {ROOT_ID}/Apple/dot.png": png(),
        }
    )


def notion_markdown() -> bytes:
    """A Markdown export, in parts as large ones are."""
    folder = f"Team {ROOT_ID}"
    root = f"""# Team

Welcome. [Apple](Team%20{ROOT_ID}/Apple%20{CHILD_ID}.md)

<aside>
💡 Remember *this*

</aside>

```html
<aside>
stays
</aside>
```
"""
    apple = f"# Apple\n\n![dot](Apple%20{CHILD_ID}/dot.png)\n\n- [x] bought\n"
    part = archive(
        {
            f"{folder}.md": root,
            f"{folder}/Apple {CHILD_ID}.md": apple,
            f"{folder}/Apple {CHILD_ID}/dot.png": png(),
        }
    )
    return archive({"Export-Part-1.zip": part})
