"""The request of an operation in the languages of its callers."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

import orjson

from content.html.openapi_samples import MULTIPART, Request


def samples_of(request: Request) -> list[tuple[str, str, str]]:
    """Title, language of the code, and code of each sample."""
    if request.type == MULTIPART and request.parts:
        return [(title, language, write(request)) for title, language, write in _OF_PARTS]
    return [(title, language, write(request)) for title, language, write in _ALL]


def _curl(request: Request) -> str:
    lines = ["curl" if request.method == "GET" else f"curl -X {request.method}"]
    lines[0] += f" {shlex.quote(request.url)}"
    lines += [f"  -H {shlex.quote(f'{n}: {v}')}" for n, v in _headers(request).items()]
    if request.type == MULTIPART and request.parts:
        lines += [_part_of_curl(name, value) for name, value in request.parts]
    elif request.type:
        # Behind `-d @` stands the name of a file, which whoever copies the sample would send.
        option = "--data-raw" if request.text.startswith("@") else "-d"
        lines.append(f"  {option} {shlex.quote(request.text)}")
    return " \\\n".join(lines)


def _part_of_curl(name: str, value: str) -> str:
    """A value of a form; as it is where curl would take it for the name of a file, or for more."""
    option = "--form-string" if value.startswith(("@", "<")) or ";" in value else "-F"
    return f"  {option} {shlex.quote(f'{name}={value}')}"


def _headers(request: Request) -> dict[str, str]:
    """Headers; without the type of a form in parts, which whoever sends it writes."""
    if request.type == MULTIPART and request.parts:
        return {name: v for name, v in request.headers.items() if name != "Content-Type"}
    return request.headers


def _javascript(request: Request) -> str:
    in_parts = request.type == MULTIPART and bool(request.parts)
    lines = []
    if in_parts:
        lines.append("const form = new FormData();")
        lines += [f"form.append({_quoted(n)}, {_quoted(v)});" for n, v in request.parts]
    lines.append(f"const response = await fetch({_quoted(request.url)}, {{")
    lines.append(f"  method: {_quoted(request.method)},")
    if headers := _headers(request):
        lines.append("  headers: {")
        lines += [f"    {_quoted(n)}: {_quoted(v)}," for n, v in headers.items()]
        lines.append("  },")
    if in_parts:
        lines.append("  body: form,")
    elif request.is_json:
        body = request.text.replace("\n", "\n  ")
        lines.append(f"  body: JSON.stringify({body}),")
    elif request.type:
        lines.append(f"  body: {_quoted(request.text)},")
    return "\n".join([*lines, "});", "const data = await response.json();"])


def _python_sample(request: Request) -> str:
    lines = ["import requests", "", "response = requests.request("]
    lines.append(f"    {_quoted(request.method)},")
    lines.append(f"    {_quoted(request.url)},")
    headers = {
        name: v for name, v in _headers(request).items()
        if name != "Content-Type" or not request.is_json
    }  # fmt: skip
    if headers:
        lines.append("    headers={")
        lines += [f"        {_quoted(n)}: {_quoted(v)}," for n, v in headers.items()]
        lines.append("    },")
    if request.type == MULTIPART and request.parts:
        lines.append("    files={")
        lines += [f"        {_quoted(n)}: (None, {_quoted(v)})," for n, v in request.parts]
        lines.append("    },")
    elif request.is_json:
        lines.append(f"    json={_python(request.body, 4)},")
    elif request.type:
        lines.append(f"    data={_quoted(request.text)},")
    return "\n".join([*lines, ")", "response.raise_for_status()", "data = response.json()"])


def _go(request: Request) -> str:
    body = "nil"
    imports = ["fmt", "io", "net/http"]
    if request.type:
        written = request.text
        raw = "`" not in written and "\r" not in written and _encodable(written)
        body = f"strings.NewReader({f'`{written}`' if raw else _quoted(written)})"
        imports.append("strings")
    lines = ["package main", "", "import (", *(f'\t"{name}"' for name in imports), ")", ""]
    lines += ["func main() {",
              f"\trequest, err := http.NewRequest({_quoted(request.method)}, "
              f"{_quoted(request.url)}, {body})",
              "\tif err != nil {", "\t\tpanic(err)", "\t}"]  # fmt: skip
    lines += [
        f"\trequest.Header.Set({_quoted(n)}, {_quoted(v)})" for n, v in request.headers.items()
    ]
    lines += ["\tresponse, err := http.DefaultClient.Do(request)",
              "\tif err != nil {", "\t\tpanic(err)", "\t}",
              "\tdefer response.Body.Close()",
              "\tdata, err := io.ReadAll(response.Body)",
              "\tif err != nil {", "\t\tpanic(err)", "\t}",
              "\tfmt.Println(string(data))", "}"]  # fmt: skip
    return "\n".join(lines)


def _php(request: Request) -> str:
    lines = [
        "<?php",
        f"$request = curl_init({_single(request.url)});",
        "curl_setopt_array($request, [",
    ]
    lines.append(f"    CURLOPT_CUSTOMREQUEST => {_single(request.method)},")
    lines.append("    CURLOPT_RETURNTRANSFER => true,")
    if request.headers:
        lines.append("    CURLOPT_HTTPHEADER => [")
        lines += [f"        {_single(f'{n}: {v}')}," for n, v in request.headers.items()]
        lines.append("    ],")
    if request.type:
        lines.append(f"    CURLOPT_POSTFIELDS => {_single(request.text)},")
    return "\n".join([*lines, "]);", "echo curl_exec($request);"])


def _ruby(request: Request) -> str:
    lines = ["require 'net/http'", "", f"uri = URI({_single(request.url)})",
             f"request = Net::HTTPGenericRequest.new({_single(request.method)}, "
             f"{'true' if request.type else 'false'}, true, uri)"]  # fmt: skip
    lines += [f"request[{_single(n)}] = {_single(v)}" for n, v in request.headers.items()]
    if request.type:
        lines.append(f"request.body = {_single(request.text)}")
    lines += [
        "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|",
        "  http.request(request)", "end", "puts response.body",
    ]  # fmt: skip
    return "\n".join(lines)


_Written = tuple[str, str, Callable[[Request], str]]
_OF_PARTS: list[_Written] = [
    ("curl", "bash", _curl), ("JavaScript", "javascript", _javascript),
    ("Python", "python", _python_sample),
]  # fmt: skip
_ALL: list[_Written] = [
    *_OF_PARTS, ("Go", "go", _go), ("PHP", "php", _php), ("Ruby", "ruby", _ruby),
]  # fmt: skip


def _single(value: str) -> str:
    """Text between single quotes as PHP and Ruby both read it."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _quoted(value: str) -> str:
    """Text between quotes as JavaScript and Python both read it."""
    return orjson.dumps(value).decode() if _encodable(value) else '""'


def _encodable(value: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _python(value: Any, indent: int) -> str:
    """A JSON value as Python writes it."""
    inner, outer = " " * (indent + 4), " " * indent
    if isinstance(value, dict) and value:
        lines = [f"{inner}{_quoted(str(n))}: {_python(v, indent + 4)}," for n, v in value.items()]
        return "\n".join(["{", *lines, f"{outer}}}"])
    if isinstance(value, list) and value:
        lines = [f"{inner}{_python(item, indent + 4)}," for item in value]
        return "\n".join(["[", *lines, f"{outer}]"])
    if isinstance(value, str):
        return _quoted(value)
    return repr(value)
