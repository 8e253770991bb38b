// Sends the request of an operation to the server that the reader has chosen, and shows the answer.
// The policy of the page lets it connect to that server and to no other one.

const LONGEST = 200_000;
const form = document.querySelector("form.request");

// In a frame of the page with the reference: as high as what it holds.
const frame = window.frameElement;
if (frame) {
  const fit = () => (frame.style.height = `${document.documentElement.offsetHeight + 8}px`);
  new ResizeObserver(fit).observe(document.documentElement);
}
if (form) prepare();

function prepare() {
  const kind = form.querySelector("[data-in=kind]");
  const body = form.querySelector("textarea[data-in=body]");
  let example = body?.value;
  kind?.addEventListener("change", () => {
    const { value, dataset } = kind.selectedOptions[0];
    const own = dataset.example ?? "";
    if (body) {
      body.dataset.kind = value;
      if (body.value === example) body.value = own;
    }
    example = own;
  });
  form.querySelector("button[type=submit]").disabled = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  form.querySelector("input, select, textarea, button").focus({ preventScroll: true });
}

async function send() {
  const button = form.querySelector("button[type=submit]");
  const place = form.querySelector(".request-response");
  const { sending, failed } = form.dataset;
  const label = button.textContent;
  button.disabled = true;
  button.textContent = sending;
  place.replaceChildren();
  try {
    const { url, options } = requestOf();
    const begun = performance.now();
    const answer = await fetch(url, options);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    place.replaceChildren(...shown(answer, bytes, Math.round(performance.now() - begun)));
  } catch (error) {
    const problem = document.createElement("p");
    problem.className = "request-problem";
    problem.textContent = error instanceof FieldError ? error.message : failed;
    place.replaceChildren(problem);
  } finally {
    button.disabled = false;
    button.textContent = label;
  }
}

class FieldError extends Error {}

// ------------------------------------------------------------------ the request

function requestOf() {
  const { method, server } = form.dataset;
  const headers = new Headers(), query = [];
  let path = form.dataset.path;
  const of = (place) => [...form.querySelectorAll(`[data-in=${place}]`)];
  for (const field of of("path")) {
    path = path.replaceAll(`{${field.dataset.name}}`, () => pathText(field));
  }
  for (const field of of("query")) {
    if (field.value !== "") query.push(...queryParts(field));
  }
  for (const field of of("header")) {
    if (field.value === "") continue;
    try {
      const value = flat(field).join(",");
      headers.set(field.dataset.name, (field.dataset.prefix ?? "") + value);
    } catch (error) {
      if (error instanceof FieldError) throw error;
      throw new FieldError(`${field.dataset.name}: ${error.message}`);
    }
  }
  const user = of("user")[0]?.value ?? "", password = of("password")[0]?.value ?? "";
  if (user || password) headers.set("Authorization", `Basic ${base64(`${user}:${password}`)}`);
  const body = bodyOf(of, headers);
  const text = query.join("&");
  return {
    url: server + path + (text ? `${path.includes("?") ? "&" : "?"}${text}` : ""),
    options: {
      method, headers, body, mode: "cors", credentials: "omit", cache: "no-store",
      referrerPolicy: "no-referrer",
    },
  };
}

function bodyOf(of, headers) {
  const field = of("body")[0];
  if (!field) return undefined;
  const kind = field.dataset.kind;
  if (field.type === "file") {
    if (!field.files[0]) return undefined;
    headers.set("Content-Type", kind);
    return field.files[0];
  }
  const isForm = kind === "multipart/form-data";
  if (!isForm && kind !== "application/x-www-form-urlencoded") {
    if (field.value === "") return undefined;
    headers.set("Content-Type", kind);
    return field.value;
  }
  const data = isForm ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(json(field) ?? {})) {
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) {
      if (one !== null) data.append(name, typeof one === "object" ? JSON.stringify(one) : one);
    }
  }
  for (const part of isForm ? of("part") : []) {
    if (part.files[0]) data.set(part.dataset.name, part.files[0]);
  }
  // The browser writes the type of a form, with its boundary.
  return data;
}

function json(field) {
  try {
    return field.value.trim() ? JSON.parse(field.value) : null;
  } catch (error) {
    throw new FieldError(`${field.dataset.name ?? field.dataset.kind}: ${error.message}`);
  }
}

// The values of a field as texts: those of a list, names and values of an object.
function flat(field) {
  const { kind, explode } = field.dataset;
  if (kind === "array") return field.value.split(",").map((value) => value.trim());
  if (kind !== "object") return [field.value];
  const entries = Object.entries(json(field) ?? {}).map(([name, value]) => [name, String(value)]);
  return explode ? entries.map((entry) => entry.join("=")) : entries.flat();
}

function pathText(field) {
  const { name, style, explode } = field.dataset;
  const values = flat(field).map(encodeURIComponent);
  if (style === "label") return `.${values.join(explode ? "." : ",")}`;
  if (style === "matrix") {
    return explode ? values.map((value) => `;${name}=${value}`).join("") : `;${name}=${values}`;
  }
  return values.join(",");
}

function queryParts(field) {
  const { name, kind, style, explode, reserved } = field.dataset;
  const encode = reserved ? (value) => encodeURI(value).replace(/[#&+]/g, encodeURIComponent)
    : encodeURIComponent;
  const own = encodeURIComponent(name);
  if (kind === "object" && (explode || style === "deepObject")) {
    return Object.entries(json(field) ?? {}).map(([key, value]) => {
      const written = style === "deepObject" ? `${name}[${key}]` : key;
      return `${encodeURIComponent(written)}=${encode(String(value))}`;
    });
  }
  const values = flat(field).map(encode);
  if (kind === "array" && explode) return values.map((value) => `${own}=${value}`);
  const between = { spaceDelimited: "%20", pipeDelimited: "%7C" }[style] ?? ",";
  return [`${own}=${values.join(between)}`];
}

function base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

// ------------------------------------------------------------------ the answer

function shown(answer, bytes, milliseconds) {
  const { response, empty, shortened, binary } = form.dataset;
  const title = document.createElement("h2");
  const status = document.createElement("code");
  status.className = `openapi-status ${answer.ok ? "ok" : "failed"}`;
  status.textContent = `${answer.status} ${answer.statusText}`.trim();
  title.append(`${response} `, status, ` ${milliseconds} ms`);
  const list = document.createElement("dl");
  for (const [name, value] of answer.headers) {
    const term = document.createElement("dt"), meaning = document.createElement("dd");
    term.textContent = name;
    meaning.textContent = value;
    list.append(term, meaning);
  }
  const text = textOf(answer, bytes);
  if (text === null || text === "") {
    const note = document.createElement("p");
    note.textContent = text === "" ? empty : binary.replace("{number}", bytes.length);
    return [title, list, note];
  }
  const code = document.createElement("pre");
  code.tabIndex = 0;
  code.setAttribute("aria-label", response);
  code.setAttribute("role", "region");
  code.textContent = text.slice(0, LONGEST);
  const parts = [title, list, code];
  if (text.length > LONGEST) {
    const note = document.createElement("p");
    note.textContent = shortened;
    parts.push(note);
  }
  return parts;
}

// The text of an answer, JSON with line breaks; null where it is none.
function textOf(answer, bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
  if (text.length <= 2 * LONGEST && (answer.headers.get("content-type") ?? "").includes("json")) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }
  return text.includes("\0") ? null : text;
}
