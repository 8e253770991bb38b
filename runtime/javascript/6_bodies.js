// Blobs, forms, headers, and what requests and responses have in common.

class Blob {
  #bytes; #type;
  constructor(parts = [], { type = "" } = {}) {
    this.#bytes = joined([new Uint8Array(0), ...[...parts].map((part) =>
      part instanceof Blob ? part._bytes()
        : part instanceof ArrayBuffer || ArrayBuffer.isView(part) ? copyOf(part)
        : encodeText(String(part)))]);
    this.#type = /^[\x20-\x7e]*$/.test(type) ? String(type).toLowerCase() : "";
  }
  _bytes() { return this.#bytes; }
  get size() { return this.#bytes.byteLength; }
  get type() { return this.#type; }
  async text() { return withoutMark(decodeText(this.#bytes)); }
  async bytes() { return this.#bytes.slice(); }
  async arrayBuffer() { return this.#bytes.slice().buffer; }
  slice(start, end, type = "") { return new Blob([this.#bytes.slice(start, end)], { type }); }
  stream() { return streamOf(this.#bytes); }
  get [Symbol.toStringTag]() { return "Blob"; }
}
class File extends Blob {
  constructor(parts, name, options = {}) {
    super(parts, options);
    this.name = String(name);
    this.lastModified = options.lastModified ?? Date.now();
  }
  get [Symbol.toStringTag]() { return "File"; }
}
const streamOf = (bytes) =>
  new ReadableStream({
    start(controller) {
      if (bytes.byteLength) controller.enqueue(bytes.slice());
      controller.close();
    },
  });

const entryOf = (value, fileName) => {
  if (!(value instanceof Blob)) return String(value).toWellFormed();
  if (value instanceof File && fileName === undefined) return value;
  return new File([value], fileName ?? "blob", { type: value.type });
};
class FormData {
  #entries = [];
  append(name, value, fileName) { this.#entries.push([String(name), entryOf(value, fileName)]); }
  delete(name) { this.#entries = this.#entries.filter((entry) => entry[0] !== String(name)); }
  get(name) { return this.#entries.find((entry) => entry[0] === String(name))?.[1] ?? null; }
  getAll(name) {
    return this.#entries.filter((entry) => entry[0] === String(name)).map((entry) => entry[1]);
  }
  has(name) { return this.#entries.some((entry) => entry[0] === String(name)); }
  set(name, value, fileName) {
    const at = this.#entries.findIndex((entry) => entry[0] === String(name));
    if (at < 0) return this.append(name, value, fileName);
    this.#entries = this.#entries.filter((entry, i) => i <= at || entry[0] !== String(name));
    this.#entries[at] = [String(name), entryOf(value, fileName)];
  }
  forEach(work, self) { for (const [name, value] of this) work.call(self, value, name, this); }
  *entries() { for (const [name, value] of this.#entries) yield [name, value]; }
  *keys() { for (const entry of this.#entries) yield entry[0]; }
  *values() { for (const entry of this.#entries) yield entry[1]; }
  [Symbol.iterator]() { return this.entries(); }
  get [Symbol.toStringTag]() { return "FormData"; }
}
const quoteName = (name) =>
  name.replace(/\r\n|\r|\n/g, "%0D%0A").replace(/"/g, "%22");
const multipart = (form, boundary) => {
  const chunks = [];
  for (const [name, value] of form) {
    let head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoteName(name)}"`;
    if (value instanceof Blob) {
      head += `; filename="${quoteName(value.name)}"\r\n` +
        `Content-Type: ${value.type || "application/octet-stream"}`;
    }
    chunks.push(encodeText(`${head}\r\n\r\n`));
    chunks.push(value instanceof Blob ? value._bytes() : encodeText(value.replace(/\r?\n|\r/g, "\r\n")));
    chunks.push(encodeText("\r\n"));
  }
  return joined([...chunks, encodeText(`--${boundary}--\r\n`)]);
};

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerName = (name) => {
  name = String(name);
  if (!TOKEN.test(name)) throw new TypeError(`${JSON.stringify(name)} is not the name of a header`);
  return name.toLowerCase();
};
const headerValue = (value) => {
  value = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code === 0 || code === 10 || code === 13 || code > 255) {
      throw new TypeError("the value of a header has a character that is not allowed");
    }
  }
  return value;
};
class Headers {
  #list = [];
  constructor(init) {
    if (init === undefined || init === null) return;
    if (typeof init !== "object") throw new TypeError("headers are an object or a list of pairs");
    const pairs = init instanceof Headers ? init._list()
      : typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
    for (const pair of pairs) {
      const [name, value, ...more] = pair;
      if (more.length || value === undefined) throw new TypeError("each header is a name and a value");
      this.append(name, value);
    }
  }
  _list() { return this.#list.map((pair) => [...pair]); }
  append(name, value) { this.#list.push([headerName(name), headerValue(value)]); }
  delete(name) {
    const lower = headerName(name);
    this.#list = this.#list.filter((pair) => pair[0] !== lower);
  }
  get(name) {
    const lower = headerName(name);
    const values = this.#list.filter((pair) => pair[0] === lower).map((pair) => pair[1]);
    return values.length ? values.join(", ") : null;
  }
  getSetCookie() {
    return this.#list.filter((pair) => pair[0] === "set-cookie").map((pair) => pair[1]);
  }
  has(name) {
    const lower = headerName(name);
    return this.#list.some((pair) => pair[0] === lower);
  }
  set(name, value) {
    const pair = [headerName(name), headerValue(value)];
    this.#list = [...this.#list.filter((other) => other[0] !== pair[0]), pair];
  }
  forEach(work, self) { for (const [name, value] of this) work.call(self, value, name, this); }
  *entries() {
    for (const name of [...new Set(this.#list.map((pair) => pair[0]))].sort()) {
      if (name === "set-cookie") for (const value of this.getSetCookie()) yield [name, value];
      else yield [name, this.get(name)];
    }
  }
  *keys() { for (const pair of this.entries()) yield pair[0]; }
  *values() { for (const pair of this.entries()) yield pair[1]; }
  [Symbol.iterator]() { return this.entries(); }
  get [Symbol.toStringTag]() { return "Headers"; }
}

// What a body is made of: its bytes (computed once they are needed) or a stream, and its type.
const bodyFrom = (source) => {
  if (source === null || source === undefined) return null;
  if (source instanceof ReadableStream) return { stream: source, type: null };
  if (source instanceof Blob) return { bytes: () => source._bytes(), type: source.type || null };
  if (source instanceof FormData) {
    const boundary = "----docstead" + randomHex(16);
    return {
      form: source, bytes: () => multipart(source, boundary),
      type: `multipart/form-data; boundary=${boundary}`,
    };
  }
  if (source instanceof URLSearchParams) {
    return {
      bytes: () => encodeText(source.toString()),
      type: "application/x-www-form-urlencoded;charset=UTF-8",
    };
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    const bytes = copyOf(source);
    return { bytes: () => bytes, type: null };
  }
  const text = String(source);
  return { text, bytes: () => encodeText(text), type: "text/plain;charset=UTF-8" };
};

class Body {
  #body = null; #stream = null; #used = false;
  _init(source, headers) {
    this.#body = source;
    if (source?.type && !headers.has("content-type")) headers.set("content-type", source.type);
  }
  get body() {
    if (!this.#body) return null;
    this.#stream ??= this.#body.stream ?? streamOf(this.#body.bytes());
    return this.#stream;
  }
  get bodyUsed() {
    return this.#used || Boolean(this.#stream?._disturbed);
  }
  #take() {
    if (this.bodyUsed || this.#stream?.locked) {
      throw new TypeError("Body is unusable: it has already been read");
    }
    if (this.#body) this.#used = true;
    return this.#body;
  }
  async _read() {
    const body = this.#take();
    if (!body) return new Uint8Array(0);
    if (!body.stream && !this.#stream) return body.bytes();
    const chunks = [new Uint8Array(0)];
    for await (const chunk of this.#stream ?? body.stream) {
      chunks.push(typeof chunk === "string" ? encodeText(chunk) : bytesOf(chunk));
    }
    return joined(chunks);
  }
  _branch() {
    if (this.bodyUsed || this.#stream?.locked) {
      throw new TypeError("Body is unusable: it has already been read");
    }
    if (!this.#body) return null;
    if (!this.#body.stream && !this.#stream) return this.#body;
    const [mine, other] = this.body.tee();
    this.#body = { stream: mine, type: null };
    this.#stream = mine;
    return { stream: other, type: null };
  }
  // Who gets the body has it alone.
  _handOver() {
    const body = this.#take();
    return body && this.#stream ? { stream: this.#stream, type: null } : body;
  }
  async text() {
    if (this.#body?.text !== undefined && !this.#stream) {
      return withoutMark(this.#take().text.toWellFormed());
    }
    return withoutMark(decodeText(await this._read()));
  }
  async json() { return JSON.parse(await this.text()); }
  async bytes() { return (await this._read()).slice(); }
  async arrayBuffer() { return (await this._read()).slice().buffer; }
  async blob() {
    return new Blob([await this._read()], { type: this.headers.get("content-type") ?? "" });
  }
  async formData() {
    const type = this.headers.get("content-type") ?? "";
    if (this.#body?.form && !this.#stream) {
      const copy = new FormData();
      for (const [name, value] of this.#take().form) copy.append(name, value);
      return copy;
    }
    const form = new FormData();
    if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
      for (const [name, value] of formPairs(await this.text())) form.append(name, value);
      return form;
    }
    const boundary = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
    if (!boundary) throw new TypeError("the body is not a form");
    const body = base64(await this._read());
    for (const [name, file, kind, data] of ask("form", { body, boundary: boundary[1] ?? boundary[2] })) {
      const bytes = unbase64(data);
      if (file === null) form.append(name, withoutMark(decodeText(bytes)));
      else form.append(name, new File([bytes], file, { type: kind ?? "" }));
    }
    return form;
  }
}
