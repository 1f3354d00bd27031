"""Pages that the server writes itself: plain HTML, no script."""

from __future__ import annotations

from html import escape
from typing import Any

_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title></head>
<body><main>{body}</main></body>
</html>
"""


def front_page() -> str:
    """What stands at the address where the page to play on is not built."""
    body = (
        "<h1>Tilery</h1><p>The table server is running, but the page is not built: run <code>make page</code> in the "
        "checkout and start the server again. Programs can play here: "
        '<a href="/api">the interface</a>, <a href="/api/lobby">open tables</a>.</p>'
    )
    return _PAGE.format(title="Tilery", body=body)


def _request(path: str, method: str, words: dict[str, Any]) -> str:
    told = escape(words.get("summary", ""))
    rows = [f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{told}</p>"]
    content = words.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    if content:
        rows.append(f"<p>Body: <code>{escape(_named(content))}</code></p>")
    answers = ", ".join(f"{status}: {escape(answer['description'])}" for status, answer in words["responses"].items())
    rows.append(f"<p>Answers: {answers}.</p>")
    return "".join(rows)


def _named(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "oneOf" in schema:
        return " | ".join(map(_named, schema["oneOf"]))
    if "anyOf" in schema:
        return " | ".join(map(_named, schema["anyOf"]))
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return " | ".join(map(repr, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_named(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))


def _model(name: str, words: dict[str, Any]) -> str:
    needed = words.get("required", ())
    rows = [
        f"<tr><td><code>{escape(field)}</code></td><td><code>{escape(_named(schema))}</code></td>"
        f"<td>{'needed' if field in needed else ''}</td></tr>"
        for field, schema in words.get("properties", {}).items()
    ]
    about = escape(words.get("description", ""))
    return f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{about}</p><table>{"".join(rows)}</table>'


def api_page(schema: dict[str, Any]) -> str:
    """The OpenAPI description for people."""
    body = [
        f"<h1>Tilery {escape(schema['info']['version'])}: the interface</h1>",
        '<p>The same for programs: <a href="/api/openapi.json">openapi.json</a>. A game is played over the socket '
        "<code>/api/tables/NAME/socket</code>, which takes the same commands; docs/wire.md describes it.</p>",
    ]
    for path, methods in schema["paths"].items():
        body += [_request(path, method, words) for method, words in methods.items()]
    body.append("<h2>What the bodies are made of</h2>")
    body += [_model(name, words) for name, words in schema["components"]["schemas"].items()]
    return _PAGE.format(title="Tilery: the interface", body="".join(body))
