"""test_reference.py - manual pages and completions: complete, and understood by those who read them."""
import re
import shutil
import subprocess

from program import OK, USAGE, WORK, ask, check, run, write

VERBS = [v["name"] for v in ask("help")[1]["verbs"]]
TABLES = {v: [f for t in ask("help", v)[1]["tables"] for f in t["fields"]] for v in VERBS}


def option(field):
    """as it is offered: what is on can be turned off"""
    on = field["type"] == "bool" and field.get("default") is True
    return ("--no-" if on else "--") + field["name"].replace("_", "-")


# ---- manual pages
for verb in [None, *VERBS]:
    words = [verb] if verb else []
    code, page, err = run("help", *words, "--form", "man")
    check(code == OK and err == "" and page.count("\n.TH ") == 1, f"manual page of {verb}", page[:300])
    for field in TABLES.get(verb, []):
        check(option(field).replace("-", "\\-") in page, f"{option(field)} in the page of {verb}", page)
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=False)
        check(done.returncode == 0 and done.stderr == "", f"groff on the page of {verb}", done.stderr)
    code, page, err = run("help", *words, "--form", "markdown")
    check(code == OK and page.startswith("# "), f"Markdown of {verb}", page)
check(run("help", "RigidBody", "--form", "man")[0] == USAGE, "only verbs have manual pages")
check(run("help", "run", "--form", "bash")[0] == USAGE, "completions are for all verbs")
check(ask("help", "--form", "bash")[1]["page"].startswith("# cardan.bash"), "completion as JSON")

# ---- bash: asked as bash asks
script = write("cardan.bash", run("help", "--form", "bash")[1])
ASK = """
source "$1"; cd "$2"; shift 2
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_cardan
printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(*words):
    done = subprocess.run(["bash", "-c", ASK, "bash", script, WORK / "files", *words], capture_output=True, text=True,
                          check=False)
    check(done.returncode == 0 and done.stderr == "", f"completion of {words}", done)
    return set(done.stdout.split())


check(subprocess.run(["bash", "-n", script], check=False).returncode == 0, "bash does not understand it")
(WORK / "files" / "folder").mkdir(parents=True, exist_ok=True)
write("files/model.json", "{}")
write("files/notes.txt", "")
check(offered("cardan", "") == {*VERBS, "--help", "--version"}, "verbs", offered("cardan", ""))
check(offered("cardan", "ru") == {"run"}, "ru")
check(offered("cardan", "run", "") == {"model.json", "folder"}, "models", offered("cardan", "run", ""))
check(offered("cardan", "run", "-o", "n") == {"notes.txt"}, "files", offered("cardan", "run", "-o", "n"))
check(offered("cardan", "run", "--beg") == {"--begin"}, "options")
check(offered("cardan", "run", "--begin", "") == {"last", "start"}, "words of an option")
check(offered("cardan", "run", "--begin", "=", "l") == {"last"}, "words after =", offered("cardan", "run", "--begin", "=", "l"))
check(offered("cardan", "run", "--begin", "=") == {"last", "start"}, "words right after =")
check(offered("cardan", "run", "--step", "1", "m") == {"model.json"}, "values are no arguments")
check(offered("cardan", "run", "model.json", "") <= {""}, "nothing after the last argument")
check(offered("cardan", "help", "Rev") == {"RevoluteJoint"}, "classes", offered("cardan", "help", "Rev"))
check(offered("cardan", "help", "exit") == {"exit-codes"}, "topics")
check(offered("cardan", "bench", "") == {"run"} and offered("cardan", "bench", "run", "") <= {""}, "bench run")
check("slider-crank" in offered("cardan", "new", ""), "kinds")
for verb in VERBS:
    letters = {f"-{c}" for c in "oqhf"}
    check(offered("cardan", verb, "-") - letters == {option(f) for f in TABLES[verb]}, f"options of {verb}",
          offered("cardan", verb, "-"))

# ---- zsh and fish, where they are
zsh = write("_cardan", run("help", "--form", "zsh")[1])
fish = write("cardan.fish", run("help", "--form", "fish")[1])
for shell, words in (("zsh", ["-n", zsh]), ("fish", ["--no-execute", fish])):
    if shutil.which(shell):
        done = subprocess.run([shell, *words], capture_output=True, text=True, check=False)
        check(done.returncode == 0 and done.stderr == "", f"{shell} does not understand it", done.stderr)
if shutil.which("fish"):
    def fish_offers(line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source {fish}; complete -C '{line}'"], capture_output=True,
                              text=True, cwd=WORK / "files", check=False)
        return {row.split("\t")[0] for row in done.stdout.splitlines()}
    check(set(VERBS) <= fish_offers("cardan "), "verbs in fish", fish_offers("cardan "))
    check(fish_offers("cardan run --begin ") == {"last", "start"}, "words in fish", fish_offers("cardan run --begin "))
    check("model.json" in fish_offers("cardan run "), "models in fish", fish_offers("cardan run "))
for verb in VERBS:
    for field in TABLES[verb]:
        check(f"'{option(field)}" in zsh.read_text() or f"'*{option(field)}" in zsh.read_text(), f"{verb} {option(field)} in zsh")
        check(re.search(rf"from {verb}' -l {option(field)[2:]}\b", fish.read_text()), f"{verb} {option(field)} in fish")
print("manual pages and completions are what they should be")
