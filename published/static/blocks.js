// Blocks of integrations that readers act in: what they press and change goes to the site, which asks
// the integration, and the block is shown as it answers. Pages in frames take part by messages, and
// windows are blocks of their own above the page.

const OPEN = "@ui.modal.open";
const CLOSE = "@ui.modal.close";
const FRAMES = "iframe[data-message]";

for (const block of document.querySelectorAll(".integration-block[data-block]")) enliven(block);

addEventListener("message", ({ source, data }) => {
  for (const frame of document.querySelectorAll(FRAMES)) {
    if (frame.contentWindow === source) hear(frame, data);
  }
});

function hear(frame, data) {
  if (typeof data === "string") {
    // As pages say it that are made to be embedded anywhere.
    const height = /"context":\s*"iframe\.resize"/.test(data) && /"height":\s*([0-9.]+)/.exec(data);
    if (height) resize(frame, { height: height[1] });
    return;
  }
  const action = data?.action;
  if (typeof action?.action !== "string") return;
  if (action.action === "@webframe.ready") tell(frame, true);
  else if (action.action === "@webframe.resize") resize(frame, action.size ?? action);
  else if (!action.action.startsWith("@")) act(frame.closest("[data-block]"), action);
}

function enliven(block) {
  for (const control of block.querySelectorAll("[data-action], [data-name]")) {
    control.disabled = false;
    if (control.dataset.enlivened) continue;
    control.dataset.enlivened = "yes";
    control.addEventListener(control.localName === "button" ? "click" : "change", () => use(control));
  }
  for (const frame of block.querySelectorAll("iframe[data-ratio]")) {
    frame.style.aspectRatio = frame.dataset.ratio;
  }
}

async function use(control) {
  const block = control.closest("[data-block]");
  const { action, seal, confirm, name } = control.dataset;
  const pressed = control.localName === "button";
  if (confirm && !(await confirmed(JSON.parse(confirm)))) {
    if (control.type === "checkbox") control.checked = !control.checked;
    else if (control.type === "radio") choose(block, name);
    return;
  }
  if (!pressed) note(block, control);
  if (action) dispatch(block, JSON.parse(action), seal);
  else if (block.querySelector(`[data-follows~="${CSS.escape(name ?? "")}"]`)) act(block, null);
}

function dispatch(block, action, seal) {
  if (action.action === OPEN) return open(block, action, seal);
  const said = resolved(stateOf(block), action);
  return action.action === CLOSE ? close(block, said) : act(block, said);
}

const stateOf = (block) => JSON.parse(block.dataset.state);

// A value with what the state has in the place of the names that stand for it.
function resolved(state, value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolved(state, item));
  if (typeof value.$state === "string") return state[value.$state];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(state, item)]));
}

// What a control says becomes part of the state of its block.
function note(block, control) {
  const state = stateOf(block);
  const { name, choice } = control.dataset;
  if (!name) return;
  const value = choice === undefined ? control.checked : JSON.parse(choice);
  if (control.type === "radio") state[name] = value;
  else if (control.type === "checkbox" && choice !== undefined) {
    const others = [state[name] ?? []].flat().filter((one) => one !== value);
    state[name] = control.checked ? [...others, value] : others;
  } else if (control.type === "checkbox") state[name] = value;
  else if (control.multiple) state[name] = [...control.selectedOptions].map((one) => one.value);
  else state[name] = control.value;
  block.dataset.state = JSON.stringify(state);
  waiting.get(block)?.changed.add(name);
  for (const frame of block.querySelectorAll(FRAMES)) tell(frame);
}

function choose(block, name) {
  for (const control of block.querySelectorAll(`input[type=radio][data-name="${CSS.escape(name)}"]`)) {
    control.checked = JSON.parse(control.dataset.choice) === stateOf(block)[name];
  }
}

const waiting = new WeakMap();

// One after the other; of those that come meanwhile the last. What a reader changes meanwhile stays.
async function act(block, action, quiet = false) {
  if (!block?.dataset.block) return;
  if (waiting.has(block)) {
    waiting.get(block).next = action;
    return;
  }
  const meanwhile = { next: undefined, changed: new Set() };
  waiting.set(block, meanwhile);
  try {
    const { html, returned } = await ask(block, action, block.dataset.seal);
    if (html) show(block, html, meanwhile.changed);
    else if (returned) close(block, { action: CLOSE, returnValue: returned });
  } catch (error) {
    if (!quiet) complain(block, error);
  }
  waiting.delete(block);
  if (meanwhile.next !== undefined) act(block, meanwhile.next);
}

async function ask(block, action, seal) {
  const { block: key, theme, state, to, asked } = block.dataset;
  block.setAttribute("aria-busy", "true");
  block.querySelector(":scope > .kit-problem")?.remove();
  try {
    const answer = await fetch(to, {
      method: "POST",
      body: JSON.stringify({
        block: key, action, seal, state: JSON.parse(state), asked: asked && JSON.parse(asked),
        theme: block.matches(".for-light, .for-dark, dialog") ? theme : surroundings(),
        window: block.localName === "dialog",
      }),
      headers: { "Content-Type": "application/json", Accept: "application/json" },
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.message);
    return said;
  } finally {
    block.removeAttribute("aria-busy");
  }
}

// Of a block that was drawn once for all surroundings.
const surroundings = () => document.documentElement.dataset.theme
  ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

function complain(block, error) {
  const problem = document.createElement("p");
  problem.className = "kit-problem";
  problem.setAttribute("role", "alert");
  problem.textContent = error.message;
  block.append(problem);
}

// ------------------------------------------------------------------ windows

const openers = new WeakMap();

async function open(block, action, seal) {
  if (block.ariaBusy === "true") return;
  try {
    const { html } = await ask(block, action, seal);
    const window = html && parsed(html);
    if (window?.localName !== "dialog") return;
    openers.set(window, block);
    const dismiss = () =>
      close(window, { action: CLOSE, returnValue: JSON.parse(window.dataset.returned ?? "{}") }, true);
    window.addEventListener("cancel", (event) => {
      event.preventDefault();
      dismiss();
    });
    window.addEventListener("click", ({ target }) => {
      if (target.closest(".kit-close")) dismiss();
    });
    document.body.append(window);
    enliven(window);
    window.showModal();
  } catch (error) {
    complain(block, error);
  }
}

// Whoever has opened a window hears what came of it; the focus goes back to where it was.
function close(window, action, quiet) {
  if (!openers.has(window) || !window.open) return;
  window.close();
  window.remove();
  act(openers.get(window), action, quiet);
}

function confirmed({ title, text, confirm, style, cancel }) {
  const window = document.createElement("dialog");
  window.className = "document kit-window kit-question";
  window.setAttribute("role", "alertdialog");
  window.ariaLabel = title || text;
  const make = (name, className, content, parent = window) => {
    const made = document.createElement(name);
    Object.assign(made, { className, textContent: content });
    parent.append(made);
    return made;
  };
  if (title) make("h2", "", title);
  make("p", "", text);
  const row = make("div", "kit-row kit-end", "");
  make("button", "kit-button", cancel, row).onclick = () => window.close();
  make("button", `kit-button kit-${style || "primary"}`, confirm || title || "OK", row).onclick = () =>
    window.close("yes");
  document.body.append(window);
  window.showModal();
  return new Promise((settle) => {
    window.addEventListener("close", () => {
      window.remove();
      settle(window.returnValue === "yes");
    });
  });
}

// ------------------------------------------------------------------ what is shown

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return document.adoptNode(template.content).firstElementChild;
}

function show(block, html, changed) {
  const next = parsed(html);
  if (!next) return;
  const own = stateOf(block);
  if (changed.size > 0 && next.dataset.state !== undefined) {
    const state = stateOf(next);
    for (const name of changed) state[name] = own[name];
    next.dataset.state = JSON.stringify(state);
  }
  for (const name of ["state", "asked", "seal", "returned"]) {
    if (next.dataset[name] !== undefined) block.dataset[name] = next.dataset[name];
  }
  become(block, next, changed);
  enliven(block);
  for (const frame of block.querySelectorAll(FRAMES)) tell(frame);
}

// What stays the same stays where it is: frames go on, and fields keep their focus.
function become(old, next, changed) {
  const parts = [...next.childNodes];
  for (const [index, part] of parts.entries()) {
    const before = old.childNodes[index];
    if (!before) old.append(part);
    else if (isLike(before, part)) {
      if (before.nodeType === Node.ELEMENT_NODE) {
        adopt(before, part, changed);
        become(before, part, changed);
      } else before.nodeValue = part.nodeValue;
    } else before.replaceWith(part);
  }
  while (old.childNodes.length > parts.length) old.lastChild.remove();
}

function isLike(one, other) {
  if (one.nodeName !== other.nodeName || one.type !== other.type) return false;
  return one.localName !== "iframe" || one.getAttribute("src") === other.getAttribute("src");
}

function adopt(old, next, changed) {
  for (const { name } of [...old.attributes]) {
    const own = name === "data-enlivened" || name === "style";
    if (!own && !next.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (name !== "disabled" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (next.disabled && !next.dataset.action && !next.dataset.name) old.disabled = true;
  if (changed.has(old.dataset?.name)) return;
  if ("checked" in old) old.checked = next.checked;
  if ("value" in old && old !== document.activeElement) old.value = next.value;
}

// A page in a sandbox has no origin that it could be named by. It is told what it does not know yet.
function tell(frame, again = false) {
  const state = resolved(stateOf(frame.closest("[data-block]")), JSON.parse(frame.dataset.message));
  const text = JSON.stringify(state);
  if (!again && frame.told === text) return;
  frame.told = text;
  frame.contentWindow?.postMessage({ state }, "*");
}

function resize(frame, size) {
  const ratio = Number(size.aspectRatio);
  const height = Number(size.height ?? size.maxHeight);
  if (ratio >= 0.1 && ratio <= 20) frame.style.aspectRatio = String(ratio);
  if (height >= 20 && height <= 4000) {
    frame.style.maxHeight = `${height}px`;
    if (!(ratio > 0) && !frame.dataset.ratio) {
      frame.style.aspectRatio = "auto";
      frame.style.height = `${height}px`;
    }
  }
}
