// URL and URLSearchParams; Python's library reads URLs as browsers do.

const formEncode = (text) =>
  encodeURIComponent(String(text).toWellFormed())
    .replace(/[!'()~]/g, (mark) => "%" + mark.charCodeAt(0).toString(16).toUpperCase())
    .replace(/%20/g, "+");
const formDecode = (text) => {
  const spaced = text.replace(/\+/g, " ");
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    const bytes = encodeText(spaced);
    const plain = [];
    for (let at = 0; at < bytes.length; at++) {
      const pair = String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0);
      if (bytes[at] === 0x25 && /^[0-9a-f]{2}$/i.test(pair)) {
        plain.push(parseInt(pair, 16));
        at += 2;
      } else plain.push(bytes[at]);
    }
    return decodeText(new Uint8Array(plain));
  }
};
const formPairs = (text) =>
  text.split("&").filter(Boolean).map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [formDecode(pair), ""]
      : [formDecode(pair.slice(0, at)), formDecode(pair.slice(at + 1))];
  });

class URLSearchParams {
  #pairs = []; #changed = null;
  constructor(init = "", secret = undefined) {
    if (secret !== undefined && secret?.secret === secretOfSignals) this.#changed = secret.changed;
    if (init instanceof URLSearchParams) this.#pairs = [...init];
    else if (typeof init === "object" && init !== null) {
      const pairs = typeof init[Symbol.iterator] === "function" ? [...init] : Object.entries(init);
      this.#pairs = pairs.map((pair) => {
        const [name, value] = pair;
        if ([...pair].length !== 2) throw new TypeError("each parameter is a name and a value");
        return [String(name).toWellFormed(), String(value).toWellFormed()];
      });
    } else this.#pairs = formPairs(String(init).replace(/^\?/, ""));
  }
  #update() { this.#changed?.(this.toString()); }
  _reset(search) { this.#pairs = formPairs(search.replace(/^\?/, "")); }
  get size() { return this.#pairs.length; }
  append(name, value) {
    this.#pairs.push([String(name).toWellFormed(), String(value).toWellFormed()]);
    this.#update();
  }
  delete(name, value) {
    this.#pairs = this.#pairs.filter((pair) =>
      pair[0] !== String(name) || (value !== undefined && pair[1] !== String(value)));
    this.#update();
  }
  get(name) { return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null; }
  getAll(name) {
    return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]);
  }
  has(name, value) {
    return this.#pairs.some((pair) =>
      pair[0] === String(name) && (value === undefined || pair[1] === String(value)));
  }
  set(name, value) {
    const first = this.#pairs.findIndex((pair) => pair[0] === String(name));
    if (first < 0) return this.append(name, value);
    this.#pairs = this.#pairs.filter((pair, at) => at <= first || pair[0] !== String(name));
    this.#pairs[first] = [String(name).toWellFormed(), String(value).toWellFormed()];
    this.#update();
  }
  sort() {
    this.#pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#update();
  }
  forEach(work, self) { for (const [name, value] of this) work.call(self, value, name, this); }
  *entries() { for (const [name, value] of this.#pairs) yield [name, value]; }
  *keys() { for (const pair of this.#pairs) yield pair[0]; }
  *values() { for (const pair of this.#pairs) yield pair[1]; }
  [Symbol.iterator]() { return this.entries(); }
  toString() {
    return this.#pairs.map(([name, value]) => `${formEncode(name)}=${formEncode(value)}`).join("&");
  }
  get [Symbol.toStringTag]() { return "URLSearchParams"; }
}

const PARTS = [
  "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname",
  "search", "hash",
];
class URL {
  #parts; #params = null;
  constructor(url, base) {
    const parts = ask("url", { url: String(url), base: base === undefined ? null : String(base) });
    if (parts === null) {
      throw Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL" });
    }
    this.#parts = parts;
  }
  _get(at) { return this.#parts[at]; }
  _set(part, value) {
    const parts = ask("urlWith", { url: this.#parts[0], part, value: String(value) });
    if (parts === null) throw new TypeError("Invalid URL");
    this.#parts = parts;
    if (part === "search" || part === "href") this.#params?._reset(this.search);
  }
  get searchParams() {
    this.#params ??= new URLSearchParams(this.search, {
      secret: secretOfSignals,
      changed: (search) => {
        this.#parts = ask("urlWith", { url: this.#parts[0], part: "search", value: search });
      },
    });
    return this.#params;
  }
  toString() { return this.href; }
  toJSON() { return this.href; }
  get [Symbol.toStringTag]() { return "URL"; }
  static canParse(url, base) {
    return ask("url", { url: String(url), base: base === undefined ? null : String(base) }) !== null;
  }
  static parse(url, base) {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }
}
PARTS.forEach((part, at) =>
  Object.defineProperty(URL.prototype, part, {
    get() { return this._get(at); },
    set: part === "origin" ? undefined : function (value) { this._set(part, value); },
    configurable: true, enumerable: true,
  }));
