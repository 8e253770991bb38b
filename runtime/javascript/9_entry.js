// Copies of values, the names that scripts see, and how an event reaches a script.

const structuredClone = (value, seen = new Map()) => {
  if (typeof value === "function" || typeof value === "symbol") {
    throw new DOMException(`${typeof value} could not be cloned`, "DataCloneError");
  }
  if (typeof value !== "object" || value === null) return value;
  if (!(seen instanceof Map)) seen = new Map();
  if (seen.has(value)) return seen.get(value);
  const keep = (copy) => {
    seen.set(value, copy);
    return copy;
  };
  const inner = (item) => structuredClone(item, seen);
  if (value instanceof Date) return keep(new Date(value.getTime()));
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
  if (value instanceof ArrayBuffer) return keep(value.slice());
  if (ArrayBuffer.isView(value)) {
    const buffer = inner(value.buffer);
    return keep(new value.constructor(buffer, value.byteOffset, value.length ?? value.byteLength));
  }
  if (value instanceof Map) {
    const copy = keep(new Map());
    for (const [key, item] of value) copy.set(inner(key), inner(item));
    return copy;
  }
  if (value instanceof Set) {
    const copy = keep(new Set());
    for (const item of value) copy.add(inner(item));
    return copy;
  }
  if (value instanceof Error) {
    const copy = keep(new (globalThis[value.name] ?? Error)(value.message));
    return copy;
  }
  if (value instanceof Blob || value instanceof CryptoKey) return keep(value);
  const copy = keep(Array.isArray(value) ? new Array(value.length) : {});
  for (const key of Object.keys(value)) {
    // A member of any name is one of its own: `copy[key] = …` would set the prototype by "__proto__".
    Object.defineProperty(copy, key, {
      value: inner(value[key]), writable: true, enumerable: true, configurable: true,
    });
  }
  return copy;
};

class ByteLengthQueuingStrategy {
  constructor({ highWaterMark }) { this.highWaterMark = highWaterMark; }
  size(chunk) { return chunk.byteLength; }
}
class CountQueuingStrategy {
  constructor({ highWaterMark }) { this.highWaterMark = highWaterMark; }
  size() { return 1; }
}
class IdentityTransformStream extends TransformStream {}
// When the event has begun: the engine's own clock begins with the process that loads the script.
let begun = Date.now();
const performance = { now: () => Date.now() - begun, get timeOrigin() { return begun; } };

expose({
  AbortController, AbortSignal, Blob, ByteLengthQueuingStrategy, CompressionStream,
  CountQueuingStrategy, CryptoKey, CustomEvent, DOMException, DecompressionStream, Event, EventTarget,
  File, FormData, Headers, IdentityTransformStream, Intl,
  ReadableStream, ReadableStreamDefaultController, ReadableStreamDefaultReader, Request, Response,
  TextDecoder,
  TextDecoderStream, TextEncoder, TextEncoderStream, TransformStream, URL, URLSearchParams,
  WritableStream, WritableStreamDefaultWriter, atob, btoa, clearInterval: clearTimer,
  clearTimeout: clearTimer, console, crypto, fetch, setInterval, setTimeout, structuredClone,
  self: globalThis, navigator: { userAgent: "Docstead" }, reportError: console.error,
  performance, scheduler: { wait: (milliseconds) => new Promise((go) => setTimeout(go, milliseconds)) },
});
delete globalThis.SharedArrayBuffer;

// Forked processes share the seed of the engine: each event gets numbers of its own.
let seed = new Uint32Array([1, 2, 3, 4]);
Math.random = () => {
  let t = seed[3];
  const s = seed[0];
  seed[3] = seed[2];
  seed[2] = seed[1];
  seed[1] = s;
  t ^= t << 11;
  t ^= t >>> 8;
  seed[0] = t ^ s ^ (s >>> 19);
  return seed[0] / 2 ** 32;
};

let handler = null;
// Anything can be thrown; what is no error is named as such.
const thrown = (value) => (value instanceof Error ? describe(value) : `${describe(value)} was thrown`);
// The engine throws null where there is no memory for an error; scripts may throw it as well.
const outOfMemory = (error) =>
  (error === null ? host.full() : error instanceof InternalError && error.message === "out of memory");
const failed = (error) => {
  let text, memory = false;
  try {
    text = thrown(error);
    memory = outOfMemory(error);
    if (memory && error === null) text = "out of memory";
  } catch {
    text = "an error that cannot be shown";
  }
  host.send("failed", JSON.stringify({ error: text.slice(0, MOST_SHOWN), memory }));
};

// Whether what a script answers may follow from the theme that it is asked for: it may where it has
// looked at it, or has read the event in another way than as JSON.
const watchTheme = (text) => {
  const { parse } = JSON;
  let looked = null;
  const watched = (context) => {
    const { theme } = context;
    if (theme === undefined) return;
    looked ??= false;
    Object.defineProperty(context, "theme", {
      get() {
        looked = true;
        return theme;
      },
      set(value) { Object.defineProperty(context, "theme", { value, writable: true }); },
      configurable: true, enumerable: true,
    });
  };
  const replaced = {
    parse(source, reviver) {
      const value = parse(source, reviver);
      if (source === text) {
        if (reviver !== undefined) looked = true;
        else if (typeof value?.context === "object" && value.context) watched(value.context);
      }
      return value;
    },
  }.parse;
  Object.defineProperty(JSON, "parse", { value: replaced, writable: true, configurable: true });
  return () => looked !== false;
};

const waits = [];
const settled = async () => {
  let begun = 0;
  while (begun < waits.length) {
    const portion = waits.slice(begun);
    begun = waits.length;
    for (const result of await Promise.allSettled(portion)) {
      if (result.status === "rejected") console.error("Error in waitUntil:", result.reason);
    }
  }
};

const handle = async (message) => {
  const form = new FormData();
  let isThemed = () => true;
  for (const [name, file, type, data] of message.parts) {
    if (name === "event" && file === null) isThemed = watchTheme(data);
    if (file === null) form.append(name, data);
    else form.append(name, new File([unbase64(data)], file, { type }));
  }
  const context = {
    waitUntil(promise) { waits.push(Promise.resolve(promise)); },
    passThroughOnException() {},
  };
  try {
    const request = new Request(message.url, { method: "POST", body: form });
    const response = await handler.fetch(request, {}, context);
    if (!(response instanceof Response)) {
      throw new TypeError("the script's fetch did not return a Response");
    }
    const body = await response._read();
    host.send("response", JSON.stringify({
      status: response.status, headers: response.headers._list(), body: base64(body),
      themed: isThemed(),
    }));
  } catch (error) {
    failed(error);
  }
  await settled();
  host.send("done", "{}");
};

// Called by Python: what happens, and its details as JSON.
return (kind, text) => {
  if (kind === "loaded") {
    import("<input>").then(
      (script) => {
        handler = script.default;
        const complaint = typeof handler?.fetch === "function" ? ""
          : "the script's default export has no function fetch";
        host.send("loaded", JSON.stringify({ complaint }));
      },
      (error) => host.send("loaded", JSON.stringify({ complaint: thrown(error) })),
    );
  } else if (kind === "event") {
    const message = JSON.parse(text);
    seed = new Uint32Array(randomBytes(16).buffer);
    seed[0] |= 1;
    inEvent = true;
    begun = Date.now();
    handle(message);
  } else if (kind === "timer") timerIsDue(Number(text));
  else if (kind === "fetched") fetchHasEnded(JSON.parse(text));
};
