"""The build hook: whoever installs or packs a checkout gets the page built, with the Node that the build brings."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds web/ into src/tilery/server/static. With TILERY_NO_PAGE set it does nothing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if os.environ.get("TILERY_NO_PAGE"):
            return
        place = Path(self.root) / "web" / "build_page.py"
        spec = importlib.util.spec_from_file_location("build_page", place)
        if spec is None or spec.loader is None:
            raise ImportError(f"{place} is missing")
        page = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(page)
        page.build()
