"""_talk.py - messages of the library: mistakes are raised, the rest is logged"""
from __future__ import annotations

import logging
from typing import Any, Callable

_LEVELS = {"warning": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}
logger = logging.getLogger("cardan")


class Error(Exception):
    """What is wrong, where, and what would be right.

    ``code`` is the status ("INVALID", "NOCONV", ...); ``item``, ``field`` and ``hint`` belong to the
    first message, ``messages`` holds all of them. ``result`` is what a run had computed until it
    failed, or None.
    """

    def __init__(self, code: str, messages: list[dict[str, str]]) -> None:
        lines = [m["whole"] for m in messages] or [code.lower()]
        super().__init__("\n".join(lines))
        first = messages[0] if messages else {}
        self.code = code
        self.messages = messages
        self.item = first.get("item")
        self.field = first.get("field")
        self.hint = first["text"].split("; ", 1)[1] if "; " in first.get("text", "") else None
        self.result: Any = None

    def __reduce__(self) -> Any:
        return Error, (self.code, self.messages), self.__dict__


def error(code: str, messages: list[dict[str, str]]) -> Error:
    return Error(code, messages)


def keep_result(error: BaseException, make: Callable[..., Any]) -> None:
    """what a run had computed until then becomes the ``result`` of its exception"""
    partial = error.__dict__.pop("partial", None)
    if partial is not None:
        setattr(error, "result", make(*partial))


def log(message: dict[str, str]) -> None:
    logger.log(_LEVELS[message["level"]], "%s", message["whole"])
