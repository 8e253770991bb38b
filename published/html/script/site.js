// What readers of a published site expect beside its pages: tabs, copying, larger images, a choice
// of light and dark, results while they type. Without it everything is there to be read, searched
// and printed. WORDS is put in when the script is sent.
(() => {
  "use strict";
  const words = WORDS;
  const root = document.documentElement;
  const THEME = "docstead-theme";
  const TABS = "docstead-tabs";
  const REMEMBERED_TABS = 20;
  const TYPING = 150;
  const CONFIRMED = 2000;
  // Pixels from the top, below the header that stays.
  const LINE = 160;

  // Storage may be closed to a page; then nothing is remembered.
  const recall = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const remember = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // The choice holds for this page.
    }
  };
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  /** An element with attributes; children are nodes and texts, never HTML. */
  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
      if (value !== null && value !== undefined) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  // ---------------------------------------------------------------- light and dark

  const serverTheme = root.dataset.theme;
  const mayChoose = root.dataset.themes === "chosen";

  function applyTheme(choice) {
    if (choice === "light" || choice === "dark") root.dataset.theme = choice;
    else if (choice === "system") delete root.dataset.theme;
  }

  function setUpThemes() {
    const choice = recall(THEME) ?? serverTheme ?? "system";
    for (const radio of all(".themes input")) {
      radio.checked = radio.value === choice;
      radio.addEventListener("change", () => {
        remember(THEME, radio.value);
        applyTheme(radio.value);
      });
    }
    // Another tab of the same site.
    addEventListener("storage", (event) => {
      if (event.key !== THEME || !event.newValue) return;
      applyTheme(event.newValue);
      for (const radio of all(".themes input")) radio.checked = radio.value === event.newValue;
    });
  }

  // Now, before the page is drawn.
  root.classList.add("js");
  if (mayChoose) applyTheme(recall(THEME));

  // ---------------------------------------------------------------- what is announced

  let status;
  function announce(text) {
    if (!status) {
      status = make("div", { role: "status", class: "visually-hidden" });
      document.body.append(status);
    }
    status.textContent = text;
  }

  // ---------------------------------------------------------------- tabs

  const groups = [];

  function readTitles() {
    try {
      const titles = JSON.parse(recall(TABS) ?? "[]");
      return Array.isArray(titles) ? titles.filter((title) => typeof title === "string") : [];
    } catch {
      return [];
    }
  }

  function select(group, chosen) {
    group.tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", at === chosen);
      tab.tabIndex = at === chosen ? 0 : -1;
      const panel = group.panels[at];
      if (at === chosen) {
        panel.removeAttribute("hidden");
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", tab.id);
        panel.tabIndex = 0;
        return;
      }
      // Where browsers can, what is in other tabs is found by their own search. Such a panel is
      // empty then, but still there.
      panel.setAttribute("hidden", "until-found");
      for (const name of ["role", "aria-labelledby", "tabindex"]) panel.removeAttribute(name);
    });
  }

  /** Choose a tab for the reader: everywhere where one has this title, now and on other pages. */
  function choose(group, at) {
    const top = group.list.getBoundingClientRect().top;
    const title = group.titles[at];
    for (const other of groups) {
      const same = other === group ? at : other.titles.indexOf(title);
      if (same >= 0) select(other, same);
    }
    // Groups above may be higher or lower now.
    scrollBy({ top: group.list.getBoundingClientRect().top - top, behavior: "instant" });
    const titles = [title, ...readTitles().filter((one) => one !== title)];
    remember(TABS, JSON.stringify(titles.slice(0, REMEMBERED_TABS)));
    if (group.panels[at].id) history.replaceState(history.state, "", `#${group.panels[at].id}`);
  }

  function onTabKey(event, group, at) {
    const last = group.tabs.length - 1;
    const forward = getComputedStyle(group.list).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const back = forward === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
    const targets = {
      [forward]: at === last ? 0 : at + 1,
      [back]: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(group, target);
    group.tabs[target].focus();
  }

  function setUpTabs() {
    const titles = readTitles();
    for (const box of all(".document .tabs")) {
      const panels = [...box.children].filter((child) => child.matches(".tab"));
      if (!panels.length) continue;
      const list = make("div", { role: "tablist", class: "tab-list" });
      const group = { list, panels, titles: [], tabs: [] };
      panels.forEach((panel, at) => {
        const title = panel.querySelector(":scope > .tab-title")?.textContent.trim() || `${at + 1}`;
        const id = `${panel.id}:title`;
        const attributes = { type: "button", role: "tab", id, class: "tab-title" };
        const tab = make("button", { ...attributes, "aria-controls": panel.id }, title);
        tab.addEventListener("click", () => choose(group, at));
        tab.addEventListener("keydown", (event) => onTabKey(event, group, at));
        panel.addEventListener("beforematch", () => select(group, at));
        group.titles.push(title);
        group.tabs.push(tab);
      });
      list.append(...group.tabs);
      box.prepend(list);
      box.classList.add("set-up");
      groups.push(group);
      const known = titles.map((title) => group.titles.indexOf(title)).find((at) => at >= 0);
      select(group, known ?? 0);
    }
    addEventListener("hashchange", () => openTarget());
    if (groups.length && location.hash) openTarget();
  }

  /** Open the tabs around what the address names. */
  function openTarget() {
    let target;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
      return;
    }
    if (!target) return;
    let opened = false;
    for (let panel = target.closest(".tab"); panel; panel = panel.parentElement.closest(".tab")) {
      for (const group of groups) {
        const at = group.panels.indexOf(panel);
        if (at < 0 || !panel.hasAttribute("hidden")) continue;
        select(group, at);
        opened = true;
      }
    }
    if (opened || target.matches(".tab")) (target.closest(".tabs") ?? target).scrollIntoView();
    if (opened && !target.matches(".tab")) target.scrollIntoView();
  }

  // ---------------------------------------------------------------- copying

  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not over TLS, or not allowed: the way of before.
    }
    const field = make("textarea", { readonly: "", class: "visually-hidden" });
    field.value = text;
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    focused?.focus();
    return done;
  }

  function setUpCopying() {
    for (const figure of all(".document figure.code")) {
      const code = figure.querySelector("pre code");
      const button = make("button", { type: "button", class: "copy" }, words.copy);
      let timer;
      button.addEventListener("click", async () => {
        const said = (await copied(code.textContent.replace(/\n$/, ""))) ? words.copied
          : words.copy_failed;
        button.textContent = said;
        announce(said);
        clearTimeout(timer);
        timer = setTimeout(() => {
          button.textContent = words.copy;
          announce("");
        }, CONFIRMED);
      });
      figure.append(button);
    }
  }

  // ---------------------------------------------------------------- larger images

  function enlarge(image, caption) {
    const close = make("button", { type: "button", class: "close" }, words.close);
    const large = make("img", { src: image.currentSrc || image.src, alt: image.alt });
    const dialog = make("dialog", { class: "zoom", "aria-label": image.alt || words.enlarge_image });
    dialog.append(close, large);
    if (caption) dialog.append(make("p", {}, caption.textContent));
    // A click beside the image closes, too.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target === large) dialog.close();
    });
    close.addEventListener("click", () => dialog.close());
    // The browser gives the focus back to where it was.
    dialog.addEventListener("close", () => setTimeout(() => dialog.remove()));
    document.body.append(dialog);
    dialog.showModal();
  }

  function setUpImages() {
    for (const figure of all(".document figure.image")) {
      const images = all("img", figure).filter((image) => !image.closest("a, button"));
      if (!images.length) continue;
      const shown = () => images.find((image) => image.checkVisibility?.() ?? true) ?? images[0];
      const label = shown().alt ? `${words.enlarge_image}: ${shown().alt}` : words.enlarge_image;
      const attributes = { type: "button", class: "enlarge", "aria-label": label };
      const button = make("button", { ...attributes, title: words.enlarge_image });
      const open = () => {
        button.focus();
        enlarge(shown(), figure.querySelector("figcaption"));
      };
      button.addEventListener("click", open);
      for (const image of images) image.addEventListener("click", open);
      figure.classList.add("can-enlarge");
      images.at(-1).after(button);
    }
  }

  // ---------------------------------------------------------------- the outline

  function setUpOutline() {
    const links = new Map();
    for (const link of all(".outline a[href^='#']"))
      links.set(decodeURIComponent(link.hash.slice(1)), link);
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    if (!headings.length) return;
    let waiting = false;
    const mark = () => {
      waiting = false;
      // The last heading that has come into the upper part of the window.
      const line = Math.max(LINE, innerHeight / 4);
      const current = headings.filter((one) => one.getBoundingClientRect().top < line).at(-1);
      for (const [id, link] of links) {
        if (current?.id === id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    };
    const later = () => {
      if (!waiting) requestAnimationFrame(mark);
      waiting = true;
    };
    addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later, { passive: true });
    mark();
  }

  // ---------------------------------------------------------------- search

  function setUpSearch() {
    const form = document.querySelector("form.search");
    const field = form?.querySelector("input");
    const address = form?.dataset.results;
    if (!field || !address) return;
    const list = make("ul", { role: "listbox", id: "site:results", "aria-label": words.search });
    const note = make("p", { class: "search-note" });
    const box = make("div", { class: "search-results", hidden: "" }, list, note);
    form.append(box);
    Object.entries({
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": list.id,
      "aria-keyshortcuts": "Control+K Meta+K",
    }).forEach(([name, value]) => field.setAttribute(name, value));
    const mac = /Mac|iPhone|iPad/.test(navigator.platform);
    form.append(make("kbd", { "aria-hidden": "true" }, mac ? "⌘K" : "Ctrl K"));

    let timer;
    let request;
    let active = -1;
    let shown = "";

    function open(isOpen) {
      box.hidden = !isOpen;
      field.setAttribute("aria-expanded", isOpen && list.children.length > 0);
      if (!isOpen) mark(-1);
    }

    function mark(at) {
      const options = [...list.children];
      options.forEach((option, index) => option.setAttribute("aria-selected", index === at));
      active = at;
      if (at < 0) field.removeAttribute("aria-activedescendant");
      else {
        field.setAttribute("aria-activedescendant", options[at].id);
        options[at].scrollIntoView({ block: "nearest" });
      }
    }

    function option(href, ...content) {
      const item = make("li", { role: "option", id: `site:result-${list.children.length}` });
      item.setAttribute("aria-selected", "false");
      item.dataset.href = href;
      item.append(...content);
      // The field keeps the focus.
      item.addEventListener("mousedown", (event) => event.preventDefault());
      item.addEventListener("click", (event) => follow(item, event));
      list.append(item);
    }

    function follow(item, event) {
      if (event?.ctrlKey || event?.metaKey) window.open(item.dataset.href, "_blank", "noopener");
      else location.assign(item.dataset.href);
    }

    function say(text, announced = text) {
      note.textContent = text;
      note.hidden = !text;
      announce(announced);
    }

    function show(query, results) {
      list.replaceChildren();
      shown = query;
      for (const result of results) {
        const title = make("span", { class: "result-title" }, result.title);
        const parts = [title];
        if (result.place) parts.unshift(make("span", { class: "result-place" }, result.place));
        if (result.section) parts.push(make("span", { class: "result-section" }, result.section));
        if (result.excerpt.length) {
          const pieces = result.excerpt.map(([text, found]) => found ? make("mark", {}, text) : text);
          parts.push(make("span", { class: "result-text" }, ...pieces));
        }
        option(result.href, ...parts);
      }
      if (results.length) {
        const whole = `${form.action}?q=${encodeURIComponent(query)}`;
        option(whole, make("span", { class: "see-all" }, filled(words.see_all_results, { query })));
        say("", filled(words.results, { number: results.length }));
      } else say(filled(words.nothing_found, { query }));
      open(document.activeElement === field);
      mark(-1);
    }

    async function search() {
      const query = field.value.trim();
      request?.abort();
      if (!query) {
        shown = "";
        list.replaceChildren();
        open(false);
        return;
      }
      if (query === shown) {
        open(true);
        return;
      }
      request = new AbortController();
      const { signal } = request;
      try {
        const answer = await fetch(`${address}?q=${encodeURIComponent(query)}`, {
          signal,
          headers: { Accept: "application/json" },
        });
        if (!answer.ok) throw answer.status;
        show(query, (await answer.json()).results);
      } catch (error) {
        if (signal.aborted) return;
        list.replaceChildren();
        shown = "";
        say(error === 429 ? words.search_limited : words.search_failed);
        open(true);
      }
    }

    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(search, TYPING);
    });
    field.addEventListener("focus", () => {
      if (field.value.trim() && (shown || !note.hidden) && shown === field.value.trim()) open(true);
    });
    field.addEventListener("blur", () => open(false));
    field.addEventListener("keydown", (event) => {
      const last = list.children.length - 1;
      if (event.key === "Escape" && !box.hidden) {
        event.preventDefault();
        open(false);
      } else if (event.key === "Enter" && active >= 0 && !box.hidden) {
        event.preventDefault();
        follow(list.children[active], event);
      } else if (event.key === "ArrowDown" && last >= 0) {
        event.preventDefault();
        open(true);
        mark(active === last ? -1 : active + 1);
      } else if (event.key === "ArrowUp" && last >= 0) {
        event.preventDefault();
        open(true);
        mark(active === -1 ? last : active - 1);
      }
    });
    addEventListener("keydown", (event) => {
      const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
      const asked = (event.key === "k" || event.key === "K") && (event.ctrlKey || event.metaKey);
      if (!(asked && !event.altKey && !event.shiftKey) && !(event.key === "/" && !typing)) return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      field.focus();
      field.select();
    });
  }

  // ---------------------------------------------------------------- menus of the header

  function setUpMenus() {
    const menus = all(".site-header details");
    addEventListener("click", (event) => {
      for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
    });
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      for (const menu of menus) {
        if (!menu.open) continue;
        menu.open = false;
        menu.querySelector("summary").focus();
      }
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    setUpTabs();
    setUpThemes();
    setUpCopying();
    setUpImages();
    setUpOutline();
    setUpSearch();
    setUpMenus();
  });
})();
