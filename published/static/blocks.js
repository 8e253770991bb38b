// Blocks of integrations that readers act in: what they press and change goes to the site, which asks
// the integration, and the block is shown as it answers. Pages in frames take part by messages.

for (const block of document.querySelectorAll(".integration-block[data-block]")) enliven(block);

addEventListener("message", ({ source, data }) => {
  const action = data?.action;
  if (typeof action?.action !== "string") return;
  for (const frame of document.querySelectorAll("iframe[data-message]")) {
    if (frame.contentWindow !== source) continue;
    if (action.action === "@webframe.ready") tell(frame);
    else if (action.action === "@webframe.resize") resize(frame, action.size ?? action);
    else if (!action.action.startsWith("@")) act(frame.closest(".integration-block"), action);
  }
});

function enliven(block) {
  for (const control of block.querySelectorAll("[data-action], [data-name]")) {
    control.disabled = false;
    if (control.dataset.enlivened) continue;
    control.dataset.enlivened = "yes";
    const pressed = control.localName === "button";
    control.addEventListener(pressed ? "click" : "change", () => {
      const { action, confirm: question } = control.dataset;
      if (question && action && !confirm(question)) {
        if (control.type === "checkbox") control.checked = !control.checked;
        return;
      }
      if (!pressed) note(block, control);
      if (action) act(block, JSON.parse(action));
    });
  }
  for (const frame of block.querySelectorAll("iframe[data-ratio]")) {
    frame.style.aspectRatio = frame.dataset.ratio;
  }
}

// What a control says becomes part of the state of its block.
function note(block, control) {
  const state = JSON.parse(block.dataset.state);
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
}

const waiting = new WeakMap();

// One after the other; of those that come meanwhile the last.
async function act(block, action) {
  if (!block?.dataset.block) return;
  if (waiting.has(block)) {
    waiting.set(block, action);
    return;
  }
  waiting.set(block, null);
  block.setAttribute("aria-busy", "true");
  block.querySelector(":scope > .kit-problem")?.remove();
  const { block: key, theme, state, to } = block.dataset;
  try {
    const answer = await fetch(to, {
      method: "POST",
      body: JSON.stringify({ block: key, theme, action, state: JSON.parse(state) }),
      headers: { "Content-Type": "application/json", Accept: "application/json" },
    });
    const { html, message } = await answer.json();
    if (!answer.ok) throw new Error(message);
    if (html) show(block, html);
  } catch (error) {
    const problem = document.createElement("p");
    problem.className = "kit-problem";
    problem.setAttribute("role", "alert");
    problem.textContent = error.message;
    block.append(problem);
  }
  block.removeAttribute("aria-busy");
  const next = waiting.get(block);
  waiting.delete(block);
  if (next) act(block, next);
}

function show(block, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const next = template.content.firstElementChild;
  if (!next) return;
  block.dataset.state = next.dataset.state ?? block.dataset.state;
  become(block, next);
  enliven(block);
  block.querySelectorAll("iframe[data-message]").forEach(tell);
}

// What stays the same stays where it is: frames go on, and fields keep their focus.
function become(old, next) {
  const parts = [...next.childNodes];
  for (const [index, part] of parts.entries()) {
    const before = old.childNodes[index];
    if (!before) old.append(part);
    else if (isLike(before, part)) {
      if (before.nodeType === Node.ELEMENT_NODE) {
        adopt(before, part);
        become(before, part);
      } else before.nodeValue = part.nodeValue;
    } else before.replaceWith(part);
  }
  while (old.childNodes.length > parts.length) old.lastChild.remove();
}

function isLike(one, other) {
  if (one.nodeName !== other.nodeName || one.type !== other.type) return false;
  return one.localName !== "iframe" || one.getAttribute("src") === other.getAttribute("src");
}

function adopt(old, next) {
  for (const { name } of [...old.attributes]) {
    const own = name === "data-enlivened" || name === "style";
    if (!own && !next.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (name !== "disabled" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (next.disabled && !next.dataset.action && !next.dataset.name) old.disabled = true;
  if ("checked" in old) old.checked = next.checked;
  if ("value" in old && old !== document.activeElement) old.value = next.value;
}

function tell(frame) {
  // A page in a sandbox has no origin that it could be named by.
  frame.contentWindow?.postMessage({ state: JSON.parse(frame.dataset.message) }, "*");
}

function resize(frame, size) {
  const ratio = Number(size.aspectRatio);
  const height = Number(size.maxHeight ?? size.height);
  if (ratio >= 0.1 && ratio <= 20) frame.style.aspectRatio = String(ratio);
  if (height >= 20 && height <= 4000) frame.style.maxHeight = `${height}px`;
}
