"""gen_messages.py - docs/messages.md: exit codes and status codes, from the lists in cli.h and base.h.

usage: gen_messages.py [--check]     write the page, or see whether it is up to date (exit code 1 if not)
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "messages.md"

# what to do about it; every code of the lists has its line
EXIT = {
    "OK": "nothing",
    "FAILED": "read the last message on standard error; of `diff`: the results differ, which may be the answer",
    "USAGE": "`cardan VERB --help` tells what the verb takes; names that nearly fit are suggested",
    "INPUT": "go to the file, line and column that the message names; all mistakes of a file are told at once",
    "OUTPUT": "look for room on the disk and for the right to write there",
    "INTERRUPTED": "`cardan run --resume` goes on where a log ends",
}
STATUS = {
    "OK": "nothing",
    "RETRY": "never seen from outside: step control takes a smaller step",
    "NOCONV": "give a smaller `step` or tighter tolerance; `cardan check` tells whether the start is consistent",
    "SINGULAR": "`cardan check` names redundant constraints and bodies without mass; try `formulation=ggl` or another method",
    "NONFINITE": "the message names the item: look for zero lengths, roots of negative numbers and very stiff laws in it",
    "CANCELLED": "what was computed is kept; `cardan run --resume` goes on",
    "INVALID": "the message tells place and remedy; `cardan help CLASS` tells what fields mean",
    "NOTFOUND": "look at the spelling: a name that nearly fits is suggested",
    "LIMIT": "limits protect from files that were made to do harm; split the input, or ask for less",
    "IO": "the message gives the words of the system: a wrong path, no rights, a full disk",
    "NOMEM": "fewer threads, a smaller model, or more memory",
    "BUG": "please report it with the model and the output of `cardan doctor`",
}


def rows(path, name):
    """The rows of an X-macro list, each split into its arguments."""
    text = (ROOT / path).read_text()
    body = re.search(rf"#define {name}\(X\)((?:.*\\\n)*.*)", text).group(1).replace("\\\n", " ")
    found = re.findall(r'X\((\w+),(?: (\d+),)? *((?:"[^"]*"\s*)+)\)', body)
    return [(code, number, "".join(re.findall(r'"([^"]*)"', words))) for code, number, words in found]


def table(head, lines):
    return [head, "|" + "---|" * (head.count("|") - 1), *lines]


def page():
    exits, statuses = rows("cli/cli.h", "CLI_CODES"), rows("include/cardan/base.h", "CD_STATUS_LIST")
    for found, known, path in ((exits, EXIT, "CLI_CODES"), (statuses, STATUS, "CD_STATUS_LIST")):
        if {code for code, _, _ in found} != set(known):
            sys.exit(f"gen_messages.py: what to do is not told for each of {path}: {({c for c, _, _ in found}) ^ set(known)}")
    lines = [
        "# Messages, exit codes and status codes",
        "",
        "Written by `tools/gen_messages.py` from the lists in cli/cli.h and include/cardan/base.h.",
        "",
        "A message says where, what is wrong and, after a semicolon, what would be right:",
        "",
        "    model.json:4:11: error: RevoluteJoint 'crank': field 'axis': must not be zero; give a direction such as [0, 0, 1]",
        "",
        "## Exit codes of `cardan`",
        "",
        *table("| code | in JSON | meaning | what to do |",
               [f"| {number} | `{code}` | {text} | {EXIT[code]} |" for code, number, text in exits]),
        "",
        "## Status codes of the library",
        "",
        "Functions of the C API return them as `CD_OK`, `CD_RETRY`, ...; `cd_status_name` and `cd_status_text` give name and text. With `--json` the",
        "reason why a run ended is one of them.",
        "",
        *table("| code | text | what to do |", [f"| `{code}` | {text} | {STATUS[code]} |" for code, _, text in statuses]),
    ]
    return "\n".join(lines) + "\n"


def main():
    text = page()
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != text:
            sys.exit(f"{PAGE.relative_to(ROOT)} is not up to date; run python3 tools/gen_messages.py")
    else:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
