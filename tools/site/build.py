#!/usr/bin/env python3
"""build.py - the documentation as a static site that works offline, from the pages in Markdown

    build.py CARDAN OUT          CARDAN is the program of that name, OUT a folder that is replaced

Every page of docs/, of problems/ and of the examples becomes one HTML file at the same place below
OUT; links between them keep working from a disk, without a server. The order is that of nav.json.
The gallery is made by running every example and problem with CARDAN (gallery.py).
"""
import html
import json
import os
import pathlib
import re
import shutil
import sys

try:
    import markdown
except ImportError:
    print("the site needs the package markdown (Debian: python3-markdown)", file=sys.stderr)
    sys.exit(77)

import gallery

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PICTURES = (".svg", ".png", ".html")
EXTENSIONS = ["fenced_code", "tables", "toc", "sane_lists"]


def title_of(text, fallback):
    found = re.search(r"^# (.+)$", text, re.M)
    return re.sub(r"[`*]", "", found.group(1)) if found else fallback


def sources():
    """page of the site -> its text in Markdown"""
    pages = {}
    for folder in ("docs", "problems", "bench"):
        for path in sorted((ROOT / folder).rglob("*.md")):
            pages[path.relative_to(ROOT)] = path.read_text()
    for name in ("README.md", "CHANGES.md", "CONTRIBUTING.md", "STYLE.md"):
        pages[pathlib.Path(name)] = (ROOT / name).read_text()
    return pages


def target(page):
    """where a page is written; README.md is the index of its folder"""
    name = "index.html" if page.name == "README.md" else page.stem + ".html"
    return page.parent / name


class Links:
    """links of the pages in Markdown, turned into links between the pages of the site"""

    def __init__(self, pages, out):
        self.pages, self.out = pages, out
        self.missing = []    # "page: address" of links that lead nowhere
        self.sources = set()  # files of the repository that pages point to

    def turn(self, text, page):
        return re.sub(r'(href|src)="([^"]*)"', lambda m: self.one(m, page), text)

    def one(self, match, page):
        address = html.unescape(match.group(2))
        if re.match(r"[a-z]+:|#|//", address):
            return match.group(0)
        path, _, anchor = address.partition("#")
        full = pathlib.Path(os.path.normpath(page.parent / path))
        if full / "README.md" in self.pages:
            full = full / "README.md"
        if full in self.pages:
            path = relative(target(full), page)
        elif full.suffix in PICTURES and ((ROOT / full).exists() or (self.out / full).exists()):
            path = relative(full, page)
        elif full.parts[0] != ".." and (ROOT / full).exists():
            path = relative(pathlib.Path("source") / f"{full}.html", page)
            self.sources.add(full)
        else:
            self.missing.append(f"{page}: {address}")
        return f'{match.group(1)}="{html.escape(path + ("#" + anchor if anchor else ""))}"'


def relative(to, page):
    up = "../" * len(page.parent.parts)
    return up + to.as_posix()


def listed(page, pattern):
    """README.md is the index of a folder, not one of its pages"""
    index = page.name == "README.md" and not pattern.endswith("README.md")
    return page.match(pattern) and not index


def navigation(nav, titles, page):
    lines = []
    for section in nav:
        entries = []
        here = False
        for entry in section["pages"]:
            for one in sorted(titles) if "*" in entry else [pathlib.Path(entry)]:
                if "*" in entry and not listed(one, entry):
                    continue
                here = here or one == page
                mark = ' aria-current="page"' if one == page else ""
                entries.append(f'<li><a href="{relative(target(one), page)}"{mark}>'
                               f"{html.escape(titles[one])}</a></li>")
        state = " open" if here or section.get("open") else ""
        lines.append(f"<details{state}><summary>{html.escape(section['title'])}</summary>"
                     f"<ul>{''.join(entries)}</ul></details>")
    return "\n".join(lines)


def plain(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text))).strip()


def write(out, page, title, body, nav, template):
    place = out / target(page)
    place.parent.mkdir(parents=True, exist_ok=True)
    values = {"title": html.escape(title), "root": "../" * len(page.parent.parts), "nav": nav,
              "body": body}
    place.write_text(re.sub(r"\{\{(\w+)\}\}", lambda m: values[m.group(1)], template))


def write_source(out, path, template):
    """a source file that pages point to, as a page of its own"""
    text = html.escape((ROOT / path).read_text(errors="replace")) \
        if (ROOT / path).is_file() else html.escape("\n".join(
            sorted(p.name for p in (ROOT / path).iterdir())))
    page = pathlib.Path("source") / f"{path}.md"
    write(out, page, str(path), f"<h1>{html.escape(str(path))}</h1><pre><code>{text}</code></pre>",
          "", template)


def copy_pictures(out):
    for folder in ("docs", "problems", "bench"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in PICTURES:
                place = out / path.relative_to(ROOT)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)


def main():
    cardan, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    template = (HERE / "page.html").read_text()
    nav = json.loads((HERE / "nav.json").read_text())
    pages = sources()
    pages[pathlib.Path("docs/gallery.md")] = gallery.page(cardan, out / "docs" / "gallery")
    titles = {page: title_of(text, page.stem) for page, text in pages.items()}
    titles[pathlib.Path("README.md")] = "Overview"
    unknown = [e for s in nav for e in s["pages"] if "*" not in e and pathlib.Path(e) not in pages]
    if unknown:
        sys.exit(f"nav.json names pages that are not there: {', '.join(unknown)}")
    links, index = Links(pages, out), []
    for page, text in pages.items():
        body = markdown.markdown(text, extensions=EXTENSIONS)
        index.append({"page": target(page).as_posix(), "title": titles[page], "text": plain(body)})
        write(out, page, titles[page], links.turn(body, page), navigation(nav, titles, page),
              template)
    for path in sorted(links.sources):
        write_source(out, path, template)
    copy_pictures(out)
    for name in ("style.css", "site.js"):
        shutil.copy(HERE / name, out / name)
    (out / "search.js").write_text("const pages = " + json.dumps(index) + ";\n")
    if links.missing:
        sys.exit("\n".join(["links that lead nowhere:", *links.missing]))
    print(f"{len(pages)} pages in {out}, begin with {out / 'index.html'}")


if __name__ == "__main__":
    main()
