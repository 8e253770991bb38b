// Errors, events, signals and timers.

const CODES = {
  IndexSizeError: 1, InvalidCharacterError: 5, NotFoundError: 8, NotSupportedError: 9,
  InvalidStateError: 11, SyntaxError: 12, InvalidAccessError: 15, NetworkError: 19, AbortError: 20,
  QuotaExceededError: 22, TimeoutError: 23, DataCloneError: 25,
};
class DOMException extends Error {
  #name;
  constructor(message = "", name = "Error") {
    super(message);
    this.#name = String(name);
  }
  get name() { return this.#name; }
  get code() { return CODES[this.#name] ?? 0; }
}

class Event {
  #type; #init; #prevented = false; _stopped = false; target = null; currentTarget = null;
  constructor(type, init = {}) {
    this.#type = String(type);
    this.#init = init;
    this.timeStamp = Date.now();
  }
  get type() { return this.#type; }
  get cancelable() { return Boolean(this.#init.cancelable); }
  get bubbles() { return Boolean(this.#init.bubbles); }
  get defaultPrevented() { return this.#prevented; }
  preventDefault() { if (this.cancelable) this.#prevented = true; }
  stopPropagation() {}
  stopImmediatePropagation() { this._stopped = true; }
}
class CustomEvent extends Event {
  constructor(type, init = {}) {
    super(type, init);
    this.detail = init.detail ?? null;
  }
}

class EventTarget {
  #listeners = new Map();
  addEventListener(type, listener, options) {
    if (listener === null || listener === undefined) return;
    const listeners = this.#listeners.get(type) ?? [];
    const { once, signal } = typeof options === "object" && options ? options : {};
    if (signal?.aborted || listeners.some((entry) => entry.listener === listener)) return;
    listeners.push({ listener, once: Boolean(once) });
    this.#listeners.set(type, listeners);
    signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
  }
  removeEventListener(type, listener) {
    const listeners = this.#listeners.get(type) ?? [];
    this.#listeners.set(type, listeners.filter((entry) => entry.listener !== listener));
  }
  dispatchEvent(event) {
    event.target = event.currentTarget = this;
    const own = this["on" + event.type];
    if (typeof own === "function") reportErrors(() => own.call(this, event));
    for (const entry of [...(this.#listeners.get(event.type) ?? [])]) {
      if (event._stopped) break;
      if (entry.once) this.removeEventListener(event.type, entry.listener);
      const { listener } = entry;
      reportErrors(() =>
        typeof listener === "function" ? listener.call(this, event) : listener.handleEvent(event));
    }
    return !event.defaultPrevented;
  }
}
const reportErrors = (work) => {
  try {
    work();
  } catch (error) {
    console.error(error);
  }
};

const timers = new Map();
let lastTimer = 0;
const MOST_TIMERS = 1000;
const addTimer = (work, milliseconds, repeat) => {
  if (typeof work !== "function") throw new TypeError("a timer needs a function");
  if (timers.size >= MOST_TIMERS) throw new RangeError(`more than ${MOST_TIMERS} timers`);
  const id = ++lastTimer;
  const wait = Math.min(Math.max(Number(milliseconds) || 0, repeat ? 1 : 0), 2 ** 31 - 1);
  timers.set(id, { work, wait, repeat });
  host.timer(id, wait);
  return id;
};
const setTimeout = (work, milliseconds = 0, ...values) =>
  addTimer(() => work(...values), milliseconds, false);
const setInterval = (work, milliseconds = 0, ...values) =>
  addTimer(() => work(...values), milliseconds, true);
const clearTimer = (id) => {
  if (timers.delete(id)) host.clearTimer(id);
};
const timerIsDue = (id) => {
  const timer = timers.get(id);
  if (!timer) return;
  if (timer.repeat) host.timer(id, timer.wait);
  else timers.delete(id);
  reportErrors(timer.work);
};

const secretOfSignals = Symbol();
class AbortSignal extends EventTarget {
  #aborted = false; #reason = undefined; onabort = null;
  constructor(secret) {
    if (secret !== secretOfSignals) throw new TypeError("Illegal constructor");
    super();
  }
  get aborted() { return this.#aborted; }
  get reason() { return this.#reason; }
  throwIfAborted() { if (this.#aborted) throw this.#reason; }
  _abort(reason) {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason ?? new DOMException("This operation was aborted", "AbortError");
    this.dispatchEvent(new Event("abort"));
  }
  static abort(reason) {
    const signal = new AbortSignal(secretOfSignals);
    signal._abort(reason);
    return signal;
  }
  static timeout(milliseconds) {
    const signal = new AbortSignal(secretOfSignals);
    setTimeout(() => signal._abort(
      new DOMException("The operation was aborted due to timeout", "TimeoutError")), milliseconds);
    return signal;
  }
  static any(signals) {
    const signal = new AbortSignal(secretOfSignals);
    for (const other of signals) {
      if (other.aborted) {
        signal._abort(other.reason);
        break;
      }
      other.addEventListener("abort", () => signal._abort(other.reason), { once: true });
    }
    return signal;
  }
}
class AbortController {
  #signal = new AbortSignal(secretOfSignals);
  get signal() { return this.#signal; }
  abort(reason) { this.#signal._abort(reason); }
}
