// The console: each call is an entry of the event's log.

const MOST_SHOWN = 4000;
const describe = (value, depth = 0, seen = []) => {
  if (typeof value === "string") return depth ? JSON.stringify(value) : value;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[Function: ${value.name || "anonymous"}]`;
  if (typeof value === "symbol" || value === null || typeof value !== "object") {
    return String(value);
  }
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return isNaN(value) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (seen.includes(value)) return "[Circular]";
  if (depth > 4) return Array.isArray(value) ? "[Array]" : "[Object]";
  const inside = [...seen, value];
  const show = (item) => describe(item, depth + 1, inside);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return `${value.constructor?.name}(${value.byteLength} bytes)`;
  }
  if (Array.isArray(value)) {
    const rest = value.length > 100 ? [`… ${value.length - 100} more`] : [];
    return `[ ${[...value.slice(0, 100).map(show), ...rest].join(", ")} ]`;
  }
  if (value instanceof Map) return `Map { ${[...value].slice(0, 100).map(show).join(", ")} }`;
  if (value instanceof Set) return `Set { ${[...value].slice(0, 100).map(show).join(", ")} }`;
  if (value instanceof Headers) return `Headers ${describe(Object.fromEntries(value), depth, seen)}`;
  if (value instanceof URL) return value.href;
  const entries = Object.entries(value).slice(0, 100);
  const name = value.constructor && value.constructor !== Object ? `${value.constructor.name} ` : "";
  return `${name}{ ${entries.map(([key, item]) => `${key}: ${show(item)}`).join(", ")} }`;
};
const describeError = (error) => {
  const title = `${error.name}: ${error.message}`;
  const stack = typeof error.stack === "string" ? error.stack : "";
  const whole = stack.includes(title) || !stack ? stack || title : `${title}\n${stack}`;
  const parts = Array.isArray(error.errors) ? error.errors.slice(0, 10) : [];
  const inner = parts.map((part) => `\nWith: ${describe(part, 1)}`).join("");
  const cause = error.cause === undefined ? "" : `\nCaused by: ${describe(error.cause, 1)}`;
  return whole + inner + cause;
};

const LEVELS = {
  debug: "debug", log: "info", info: "info", dir: "info", table: "info", trace: "debug",
  warn: "warn", error: "error",
};
const console = {};
for (const [name, level] of Object.entries(LEVELS)) {
  console[name] = (...values) => {
    let text;
    try {
      text = values.map((value) => describe(value)).join(" ");
    } catch (error) {
      text = `(what was logged cannot be shown: ${error})`;
    }
    host.send("log", JSON.stringify({ level, text: text.slice(0, MOST_SHOWN), at: Date.now() }));
  };
}
console.assert = (holds, ...values) => {
  if (!holds) console.error("Assertion failed:", ...values);
};
for (const name of ["group", "groupCollapsed"]) console[name] = console.log;
for (const name of ["groupEnd", "time", "timeEnd", "timeLog", "count", "countReset", "clear"]) {
  console[name] = () => {};
}

// Stacks begin with the error's name and message, as in other engines: scripts log them alone.
Error.prepareStackTrace = undefined;
Error.prepareStackTrace = (error, frames) => {
  let title;
  try {
    title = `${error.name}: ${error.message}`;
  } catch {
    title = "Error";
  }
  const places = [...frames].map((frame) =>
    `    at ${frame.getFunctionName?.() || "anonymous"} (line ${frame.getLineNumber?.()})`);
  return [title, ...places].join("\n");
};
