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
  for (const key of Object.keys(value)) copy[key] = inner(value[key]);
  return copy;
};

expose({
  AbortController, AbortSignal, Blob, CryptoKey, CustomEvent, DOMException, Event, EventTarget, File,
  FormData, Headers, ReadableStream, ReadableStreamDefaultReader, Request, Response, TextDecoder,
  TextDecoderStream, TextEncoder, TextEncoderStream, TransformStream, URL, URLSearchParams,
  WritableStream, WritableStreamDefaultWriter, atob, btoa, clearInterval: clearTimer,
  clearTimeout: clearTimer, console, crypto, fetch, setInterval, setTimeout, structuredClone,
  self: globalThis, navigator: { userAgent: "Docstead" },
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
const failed = (error) => {
  let text;
  try {
    text = describe(error);
  } catch {
    text = "an error that cannot be shown";
  }
  host.send("failed", JSON.stringify({
    error: text.slice(0, MOST_SHOWN), memory: error === null || /out of memory/.test(text),
  }));
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
  for (const [name, file, type, data] of message.parts) {
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
      (error) => host.send("loaded", JSON.stringify({ complaint: describe(error) })),
    );
  } else if (kind === "event") {
    const message = JSON.parse(text);
    seed = new Uint32Array(randomBytes(16).buffer);
    seed[0] |= 1;
    inEvent = true;
    handle(message);
  } else if (kind === "timer") timerIsDue(Number(text));
  else if (kind === "fetched") fetchHasEnded(JSON.parse(text));
};
