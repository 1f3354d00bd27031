"""The build hook of hatchling: builds the web client when a checkout is installed or packaged."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebClientHook(BuildHookInterface):  # type: ignore[type-arg]
    """Build web/ into src/tilery/server/static, with Node from the build requirements; not if TILERY_NO_PAGE is set."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if os.environ.get("TILERY_NO_PAGE"):
            return
        path = Path(self.root) / "web" / "build_page.py"
        spec = importlib.util.spec_from_file_location("build_page", path)
        if spec is None or spec.loader is None:
            raise ImportError(f"cannot load {path}")
        build_page = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(build_page)
        build_page.build()
