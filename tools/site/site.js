// site.js - search over all pages (search.js holds them), copy buttons, the menu of small screens
"use strict";
const root = document.documentElement.dataset.root;
const box = document.getElementById("search");
const list = document.getElementById("found");
const SHOWN = 12;

// every word must occur; words in titles count more
function score(page, words) {
    const title = page.title.toLowerCase(), text = page.text.toLowerCase();
    let sum = 0;
    for (const word of words) {
        const inTitle = title.includes(word), at = text.indexOf(word);
        if (!inTitle && at < 0) return 0;
        sum += (inTitle ? 10 : 0) + (title === word ? 50 : 0) + (at >= 0 ? 1 : 0);
    }
    return sum;
}

function excerpt(page, word) {
    const at = Math.max(0, page.text.toLowerCase().indexOf(word) - 40);
    return page.text.slice(at, at + 120);
}

function entry(page, word) {
    const item = document.createElement("li"), link = document.createElement("a");
    const small = document.createElement("small");
    link.href = root + page.page;
    link.textContent = page.title;
    small.textContent = excerpt(page, word);
    link.append(small);
    item.append(link);
    return item;
}

function search() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const ranked = words.length === 0 ? [] : pages.map((page) => [score(page, words), page])
        .filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]).slice(0, SHOWN);
    list.replaceChildren(...ranked.map(([, page]) => entry(page, words[0])));
    list.hidden = ranked.length === 0;
}

box.addEventListener("input", search);
box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("a")?.click();
    if (event.key === "Escape") list.hidden = true;
});
document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === box) return;
    event.preventDefault();
    box.focus();
});

for (const pre of document.querySelectorAll("main pre")) {
    const button = document.createElement("button");
    button.textContent = "copy";
    button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(pre.querySelector("code")?.textContent ?? "");
        button.textContent = "copied";
    });
    pre.append(button);
}

const menu = document.getElementById("menu"), nav = document.querySelector("nav");
menu.addEventListener("click", () => {
    menu.setAttribute("aria-expanded", nav.classList.toggle("open"));
});
