"""_cli.py - every verb of the command line as a function that returns what --json answers"""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Callable

from . import _cardan
from ._talk import Error, log

# exit codes from here on: the verb could not do its work
_REFUSED = 2
Verb = Callable[..., dict[str, Any]]


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _option(name: str, value: Any) -> list[str]:
    """--name=value, once per element of a list; a dict gives NAME=VALUE"""
    if value is None:
        return []
    if isinstance(value, dict):
        value = [f"{k}={_word(v)}" for k, v in value.items()]
    many = value if isinstance(value, (list, tuple)) else [value]
    return [f"--{name.replace('_', '-')}={_word(v)}" for v in many]


def _whole(message: dict[str, Any]) -> dict[str, str]:
    """with the line that the program would print"""
    words = []
    if message.get("file"):
        line = f":{message['line']}:{message['column']}" if message.get("line") else ""
        words.append(f"{message['file']}{line}: ")
    if message.get("item"):
        words.append(f"{message.get('class') or 'item'} '{message['item']}': ")
    if message.get("field"):
        words.append(f"field '{message['field']}': ")
    return {**{k: v for k, v in message.items() if v is not None},
            "whole": "".join(words) + message["text"]}


def ask(verb: str, *args: Any, **options: Any) -> dict[str, Any]:
    """a verb of the command line by its name; models and results may stand where files do"""
    with tempfile.TemporaryDirectory(prefix="cardan-") as folder:
        words = [_argument(pathlib.Path(folder), k, a) for k, a in enumerate(args)]
        flags = [w for name, value in options.items() for w in _option(name, value)]
        answer: dict[str, Any] = json.loads(
            _cardan.ask(["cardan", verb, *flags, "--", *words]))
    messages = [_whole(m) for m in answer.pop("messages")]
    errors = [m for m in messages if m["level"] == "error"]
    if answer["status"] == "INTERRUPTED":
        raise KeyboardInterrupt
    if errors or answer["exit_code"] >= _REFUSED:
        raise Error(answer["status"], errors)
    for message in messages:
        log(message)
    return answer


def _argument(folder: pathlib.Path, number: int, value: Any) -> str:
    if hasattr(value, "_to_file"):
        return str(value._to_file(folder, f"argument{number + 1}"))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _doc(verb: dict[str, Any]) -> str:
    lines = [f"{verb['doc']}.\n"]
    lines += [f"    {a['name'].lower()}: {a['doc']}" + (" (optional)" if a["optional"] else "")
              for a in verb["args"]]
    lines += [f"    {f['name']}: {f['doc']}" for t in verb["tables"] for f in t["fields"]]
    if verb["output"]:
        lines.append(f"    output: {verb['output']}")
    return "\n".join(lines) + "\n"


class Cli:
    """The verbs of the program ``cardan``, each a function:
    ``cardan.cli.diff("a.log", "b.log", rtol=1e-6)``. Options are those of the command line; models
    and results may be given where it takes files. What is returned is what ``--json`` prints."""

    def __init__(self) -> None:
        self._verbs = {verb["name"]: verb for verb in _cardan.verbs()}

    def __getattr__(self, name: str) -> Verb:
        if name.startswith("_") or name not in self._verbs:
            raise AttributeError(f"there is no verb '{name}'; there are {', '.join(self._verbs)}")

        def verb(*args: Any, **options: Any) -> dict[str, Any]:
            return ask(name, *args, **options)

        verb.__name__ = verb.__qualname__ = name
        verb.__doc__ = _doc(self._verbs[name])
        return verb

    def __dir__(self) -> list[str]:
        return list(self._verbs)


cli = Cli()
