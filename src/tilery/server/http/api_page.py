"""The HTML pages that the server generates itself, without scripts: the API reference, and the fallback front page."""

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
    """The page at `/` if the web client is not built."""
    body = (
        "<h1>Tilery</h1><p>The table server is running, but the web client is not built: run "
        "<code>make page</code> in the checkout and restart the server. Programs can play here: "
        '<a href="/api">the API</a>, <a href="/api/lobby">open tables</a>.</p>'
    )
    return _PAGE.format(title="Tilery", body=body)


def _endpoint(path: str, method: str, operation: dict[str, Any]) -> str:
    summary = escape(operation.get("summary", ""))
    rows = [f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{summary}</p>"]
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    if content:
        rows.append(f"<p>Body: <code>{escape(_type_name(content))}</code></p>")
    responses = operation["responses"].items()
    statuses = ", ".join(f"{status}: {escape(response['description'])}" for status, response in responses)
    rows.append(f"<p>Responses: {statuses}.</p>")
    return "".join(rows)


def _type_name(schema: dict[str, Any] | bool) -> str:
    if isinstance(schema, bool):
        return "anything"
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "oneOf" in schema:
        return " | ".join(map(_type_name, schema["oneOf"]))
    if "anyOf" in schema:
        return " | ".join(map(_type_name, schema["anyOf"]))
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return " | ".join(map(repr, schema["enum"]))
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type_name, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        return f"list of {_type_name(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))


def _model(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    rows = [
        f"<tr><td><code>{escape(field)}</code></td><td><code>{escape(_type_name(value))}</code></td>"
        f"<td>{'required' if field in required else ''}</td></tr>"
        for field, value in schema.get("properties", {}).items()
    ]
    about = escape(schema.get("description", ""))
    shape = f"<table>{''.join(rows)}</table>" if rows else f"<p><code>{escape(_type_name(schema))}</code></p>"
    return f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{about}</p>{shape}'


def api_page(schema: dict[str, Any]) -> str:
    """The OpenAPI schema as an HTML page."""
    body = [
        f"<h1>Tilery {escape(schema['info']['version'])}: the API</h1>",
        '<p>The same for programs: <a href="/api/openapi.json">openapi.json</a>. A game is played over the WebSocket '
        "<code>/api/tables/NAME/socket</code>, which takes the same commands; docs/wire.md describes it.</p>",
    ]
    for path, methods in schema["paths"].items():
        body += [_endpoint(path, method, operation) for method, operation in methods.items()]
    body.append("<h2>Schemas</h2>")
    body += [_model(name, model) for name, model in schema["components"]["schemas"].items()]
    return _PAGE.format(title="Tilery: the API", body="".join(body))
