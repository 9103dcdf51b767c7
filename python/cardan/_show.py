"""_show.py - pictures that notebooks show and that can be saved"""
from __future__ import annotations

import base64
import html
import os
import pathlib
import tempfile
from typing import Any

from ._cli import to_file


class _Shown:
    """Text that notebooks show; ``save`` writes it, ``str`` gives it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def save(self, path: str | os.PathLike[str]) -> None:
        """into a file"""
        pathlib.Path(path).write_text(self.text, encoding="utf-8")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.text)} bytes>"


class Svg(_Shown):
    """A picture; shown by notebooks, ``save`` writes it, ``str`` is its text."""

    def _repr_svg_(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # as an image: its styles stay inside
        data = base64.b64encode(self.text.encode()).decode()
        return f'<img alt="" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'


class Page(_Shown):
    """A page that plays a run in 3D; shown by notebooks, ``save`` writes it for any browser."""

    def __init__(self, text: str, height: int = 480) -> None:
        super().__init__(text)
        self.height = height

    def _repr_html_(self) -> str:
        # a frame of its own: its styles and scripts stay inside
        return (f'<iframe srcdoc="{html.escape(self.text)}" sandbox="allow-scripts" '
                f'style="width:100%;height:{self.height}px;border:0" loading="lazy"></iframe>')


def made(verb: str, ending: str, *args: Any, **options: Any) -> str:
    """the text that a verb writes into its output"""
    with tempfile.TemporaryDirectory(prefix="cardan-") as folder:
        path = pathlib.Path(folder) / f"picture{ending}"
        to_file(verb, path, *args, **options)
        return path.read_text(encoding="utf-8")


def drawn(what: Any, **options: Any) -> Svg:
    """the picture that the command line draws"""
    return Svg(made("draw", ".svg", what, **options))
