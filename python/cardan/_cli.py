"""_cli.py - every verb of the command line as a function that returns what --json answers"""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
import threading
from typing import Any, Callable

from . import _cardan
from ._talk import Error, log

# exit codes from here on: the verb could not do its work
_REFUSED = 2
Verb = Callable[..., dict[str, Any]]
# verbs catch Ctrl-C for the whole process, so that one is at work at a time
_at_work = threading.Lock()


def word(value: Any) -> str:
    """as methods and the command line spell it"""
    plain = value.tolist() if hasattr(value, "tolist") else value
    return str(plain).lower() if isinstance(plain, bool) else str(plain)


def _option(name: str, value: Any) -> list[str]:
    """--name=value, once per element of a list; a dict gives NAME=VALUE. Words that Python keeps for
    itself have a line at their end: from_"""
    if value is None:
        return []
    if isinstance(value, dict):
        value = [f"{k}={word(v)}" for k, v in value.items()]
    if hasattr(value, "tolist"):
        value = value.tolist()
    many = value if isinstance(value, (list, tuple)) else [value]
    return [f"--{name.rstrip('_').replace('_', '-')}={word(v)}" for v in many]


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
        words = [_argument(pathlib.Path(folder), verb, k, a) for k, a in enumerate(args)]
        flags = [w for name, value in options.items() for w in _option(name, value)]
        with _at_work:
            text = _cardan.ask(["cardan", verb, *flags, "--", *words])
    answer: dict[str, Any] = json.loads(text)
    messages = [_whole(m) for m in answer.pop("messages")]
    errors = [m for m in messages if m["level"] == "error"]
    if answer["status"] == "INTERRUPTED":
        raise KeyboardInterrupt
    if errors or answer["exit_code"] >= _REFUSED:
        raise Error(answer["status"], errors)
    for message in messages:
        log(message)
    return answer


def to_file(verb: str, path: str | os.PathLike[str], *args: Any, **options: Any) -> dict[str, Any]:
    """what a verb writes, into a file"""
    return ask(verb, *args, **{_verbs[verb]["output"]["name"]: path}, **options)


def _argument(folder: pathlib.Path, verb: str, number: int, value: Any) -> str:
    """a word; a file, named like the argument, of what is no file"""
    if hasattr(value, "_to_file"):
        names = [a["name"].lower() for a in _verbs[verb]["args"]] + [f"argument{number + 1}"]
        return str(value._to_file(folder, names[min(number, len(names) - 1)]))
    if isinstance(value, bool) or not isinstance(value, (str, int, float, os.PathLike)):
        raise TypeError(f"a verb takes models, results, paths and words, not {type(value).__name__}")
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _doc(verb: dict[str, Any]) -> str:
    lines = [f"{verb['doc']}.\n"]
    lines += [f"    {a['name'].lower()}: {a['doc']}" + (" (optional)" if a["optional"] else "")
              for a in verb["args"]]
    lines += [f"    {f['name']}: {f['doc']}" for t in verb["tables"] for f in t["fields"]]
    if verb["output"]:
        lines.append(f"    {verb['output']['name']}: {verb['output']['doc']}")
    return "\n".join(lines) + "\n"


class Cli:
    """The verbs of the program ``cardan``, each a function:
    ``cardan.cli.diff("a.log", "b.log", rtol=1e-6)``. Options are those of the command line; models
    and results may be given where it takes files. What is returned is what ``--json`` prints."""

    def __getattr__(self, name: str) -> Verb:
        if name not in _verbs:
            raise AttributeError(f"there is no verb '{name}'; there are {', '.join(_verbs)}")

        def verb(*args: Any, **options: Any) -> dict[str, Any]:
            return ask(name, *args, **options)

        verb.__name__ = verb.__qualname__ = name
        verb.__doc__ = _doc(_verbs[name])
        return verb

    def __dir__(self) -> list[str]:
        return list(_verbs)


_verbs: dict[str, dict[str, Any]] = {verb["name"]: verb for verb in _cardan.verbs()}
cli = Cli()
