// Calls of Python, and texts with their bytes. All files of this folder are one function, in their
// order; `host` is what it gets: host.call(name, json), host.send(kind, json), host.timer(id, ms),
// host.clearTimer(id), host.full(): whether there was hardly any memory left.

const expose = (values) => {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, {
      value, writable: true, configurable: true, enumerable: false,
    });
  }
};

const makeError = ([name, message]) =>
  name === "TypeError" ? new TypeError(message) : new DOMException(message, name);

const ask = (name, values) => {
  const answer = JSON.parse(host.call(name, JSON.stringify(values)));
  if (answer.error) throw makeError(answer.error);
  return answer.value;
};

const unbase64 = (text) => Uint8Array.fromBase64(text);
const base64 = (bytes) => bytes.toBase64();

const bytesOf = (source) => {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  }
  if (source instanceof ArrayBuffer || source instanceof SharedArrayBuffer) {
    return new Uint8Array(source);
  }
  throw new TypeError("bytes are expected: an ArrayBuffer or a view of one");
};
const copyOf = (source) => bytesOf(source).slice();

const joined = (chunks) => {
  if (chunks.length === 1) return chunks[0];
  const whole = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
};

const encodeText = (text) => (text === "" ? new Uint8Array(0) : unbase64(ask("encode", { text })));
const decodeText = (bytes, label = "utf-8", fatal = false) =>
  bytes.byteLength === 0 ? "" : ask("decode", { data: base64(bytes), label, fatal });
const withoutMark = (text) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

class TextEncoder {
  get encoding() { return "utf-8"; }
  encode(text = "") { return encodeText(String(text)); }
  encodeInto(text, target) {
    let read = 0;
    let written = 0;
    for (const character of String(text)) {
      const bytes = encodeText(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

const LABELS = {
  "utf-8": "utf-8", utf8: "utf-8", "unicode-1-1-utf-8": "utf-8", "utf-16": "utf-16le",
  "utf-16le": "utf-16le", "utf-16be": "utf-16be", ascii: "windows-1252", "us-ascii": "windows-1252",
  latin1: "windows-1252", "iso-8859-1": "windows-1252", "windows-1252": "windows-1252",
};

// How many bytes at the end begin a character that has not ended.
const unfinished = (bytes, encoding) => {
  if (encoding === "windows-1252") return 0;
  if (encoding !== "utf-8") {
    const odd = bytes.length % 2;
    const high = bytes[bytes.length - odd - (encoding === "utf-16le" ? 1 : 2)];
    return odd + (bytes.length - odd >= 2 && high >= 0xd8 && high <= 0xdb ? 2 : 0);
  }
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if (byte >= 0xc2) {
      const size = byte >= 0xf0 ? (byte <= 0xf4 ? 4 : 0) : byte >= 0xe0 ? 3 : 2;
      return size > back ? back : 0;
    }
    if (byte < 0x80) return 0;
  }
  return 0;
};

class TextDecoder {
  #encoding; #fatal; #ignoreBOM; #rest = new Uint8Array(0); #begun = false;
  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    this.#encoding = LABELS[String(label).trim().toLowerCase()];
    if (!this.#encoding) throw new RangeError(`the encoding ${label} is not supported`);
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
  }
  get encoding() { return this.#encoding; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }
  decode(source, { stream = false } = {}) {
    let bytes = source === undefined ? new Uint8Array(0) : bytesOf(source);
    if (this.#rest.length) bytes = joined([this.#rest, bytes]);
    const left = stream ? unfinished(bytes, this.#encoding) : 0;
    this.#rest = left ? bytes.slice(bytes.length - left) : new Uint8Array(0);
    let text = decodeText(bytes.subarray(0, bytes.length - left), this.#encoding, this.#fatal);
    if (text === null) throw new TypeError("the bytes are not valid " + this.#encoding);
    if (!this.#begun && text) {
      if (!this.#ignoreBOM) text = withoutMark(text);
      this.#begun = true;
    }
    if (!stream) this.#begun = false;
    return text;
  }
}

const latin1 = (text) => {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 255) {
      throw new DOMException("a character is outside of Latin 1", "InvalidCharacterError");
    }
    bytes[at] = code;
  }
  return bytes;
};
const btoa = (text) => base64(latin1(String(text)));
const atob = (text) => {
  let bytes;
  try {
    bytes = unbase64(String(text));
  } catch {
    throw new DOMException("the text is not base64", "InvalidCharacterError");
  }
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 4096) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 4096)));
  }
  return pieces.join("");
};
