// Requests, responses, and fetch: the server sends the request, if it may be sent.

const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"];
const methodOf = (method) => {
  method = String(method);
  if (!TOKEN.test(method)) throw new TypeError(`${JSON.stringify(method)} is not an HTTP method`);
  const upper = method.toUpperCase();
  if (["CONNECT", "TRACE", "TRACK"].includes(upper)) {
    throw new TypeError(`${method} is not allowed by fetch`);
  }
  return METHODS.includes(upper) ? upper : method;
};

class Request extends Body {
  #url; #method; #headers; #signal; #redirect; #init;
  constructor(input, init = {}) {
    super();
    init ??= {};
    const other = input instanceof Request ? input : null;
    const url = other ? other.url : new URL(input).href;
    if (!other && /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(url)) {
      throw new TypeError("Request cannot be constructed from a URL that includes credentials");
    }
    this.#url = url;
    this.#init = { ...(other ? other._options() : {}), ...init, copies: undefined };
    this.#method = methodOf(init.method ?? other?.method ?? "GET");
    this.#headers = new Headers(init.headers ?? other?.headers);
    this.#redirect = init.redirect ?? other?.redirect ?? "follow";
    this.#signal = init.signal ?? other?.signal ?? new AbortController().signal;
    let body = null;
    if (init.body !== undefined && init.body !== null) body = bodyFrom(init.body);
    else if (other && init.body === undefined) body = init.copies ? other._branch() : other._handOver();
    if (body && ["GET", "HEAD"].includes(this.#method)) {
      throw new TypeError("Request with GET/HEAD method cannot have body");
    }
    this._init(body, this.#headers);
  }
  _options() { return this.#init; }
  get url() { return this.#url; }
  get method() { return this.#method; }
  get headers() { return this.#headers; }
  get signal() { return this.#signal; }
  get redirect() { return this.#redirect; }
  get cache() { return this.#init.cache ?? "default"; }
  get credentials() { return this.#init.credentials ?? "same-origin"; }
  get mode() { return this.#init.mode ?? "cors"; }
  get referrer() { return "about:client"; }
  get cf() { return this.#init.cf; }
  clone() { return new Request(this, { copies: true }); }
  get [Symbol.toStringTag]() { return "Request"; }
}

const EMPTY = [101, 204, 205, 304];
const REDIRECTS = [301, 302, 303, 307, 308];
class Response extends Body {
  #status; #statusText; #headers; #more;
  constructor(body, init = {}, more = {}) {
    super();
    init ??= {};
    const status = init.status === undefined ? 200 : Number(init.status);
    if (!more.inner && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
      throw new RangeError(`the status ${init.status} is not in the range 200 to 599`);
    }
    this.#status = status;
    this.#statusText = String(init.statusText ?? "");
    this.#headers = new Headers(init.headers);
    this.#more = more;
    const own = more.inner ? body : bodyFrom(body);
    if (own && EMPTY.includes(status)) {
      if (!more.inner) throw new TypeError(`a response with the status ${status} has no body`);
      this._init(null, this.#headers);
    } else this._init(own, this.#headers);
  }
  get status() { return this.#status; }
  get ok() { return this.#status >= 200 && this.#status <= 299; }
  get statusText() { return this.#statusText; }
  get headers() { return this.#headers; }
  get url() { return this.#more.url ?? ""; }
  get redirected() { return Boolean(this.#more.redirected); }
  get type() { return this.#more.type ?? "default"; }
  clone() {
    return new Response(this._branch(), this, { ...this.#more, inner: true });
  }
  static json(value, init = {}) {
    const text = JSON.stringify(value);
    if (text === undefined) throw new TypeError("the value has no form in JSON");
    const headers = new Headers(init?.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(text, { ...init, headers });
  }
  static redirect(url, status = 302) {
    if (!REDIRECTS.includes(status)) throw new RangeError(`${status} is not a redirect`);
    return new Response(null, { status, headers: { location: new URL(url).href } });
  }
  static error() { return new Response(null, { status: 0 }, { inner: true, type: "error" }); }
  get [Symbol.toStringTag]() { return "Response"; }
}

const fetches = new Map();
let lastFetch = 0;
let inEvent = false;
const fetch = async (input, init) => {
  if (!inEvent) throw new TypeError("fetch failed: it is possible only while an event is handled");
  const request = new Request(input, init);
  request.signal.throwIfAborted();
  const body = request.body === null ? null : base64(await request._read());
  const id = ++lastFetch;
  const waiting = Promise.withResolvers();
  fetches.set(id, waiting);
  const abort = () => {
    if (!fetches.delete(id)) return;
    host.send("abort", JSON.stringify({ id }));
    waiting.reject(request.signal.reason);
  };
  request.signal.addEventListener("abort", abort, { once: true });
  if (request.signal.aborted) {
    fetches.delete(id);
    throw request.signal.reason;
  }
  host.send("fetch", JSON.stringify({
    id, url: request.url, method: request.method, headers: request.headers._list(), body,
    redirect: request.redirect,
  }));
  try {
    return await waiting.promise;
  } finally {
    request.signal.removeEventListener("abort", abort);
  }
};
const fetchHasEnded = (answer) => {
  const waiting = fetches.get(answer.id);
  if (!waiting) return;
  fetches.delete(answer.id);
  if (answer.error !== undefined) {
    waiting.reject(new TypeError(`fetch failed: ${answer.error}`));
    return;
  }
  const body = answer.body ? { bytes: () => unbase64(answer.body), type: null } : null;
  waiting.resolve(new Response(body, answer, {
    inner: true, url: answer.url, redirected: answer.redirected, type: "basic",
  }));
};
