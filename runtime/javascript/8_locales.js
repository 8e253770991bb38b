// Numbers, dates and the order of texts as they are written in American English, dates in any time
// zone. The engine has no Intl: other locales, and options that are not here, fall back to this.

const native = (prototype, methods) => {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
};

const SIGNS = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹", CNY: "CN¥", KRW: "₩", BRL: "R$",
  CAD: "CA$", AUD: "A$", MXN: "MX$", NZD: "NZ$", HKD: "HK$", ILS: "₪", TWD: "NT$", VND: "₫" };
const currencyOf = ({ currency, currencyDisplay }) => {
  if (currency === undefined) throw new TypeError("the style currency needs a currency");
  const code = String(currency).toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) throw new RangeError(`${currency} is no code of a currency`);
  const before = (currencyDisplay !== "code" && SIGNS[code]) || `${code}\u00a0`;
  return { before, digits: /^(JPY|KRW|VND|CLP|ISK)$/.test(code) ? 0 : 2 };
};
const writeNumber = (number, options) => {
  const percent = options?.style === "percent";
  const money = options?.style === "currency" ? currencyOf(options) : null;
  const signed = (text, negative) =>
    (negative ? "-" : "") + (money?.before ?? "") + text + (percent ? "%" : "");
  if (!Number.isFinite(number)) {
    return signed(Number.isNaN(number) ? "NaN" : "∞", number < 0).replace("\u00a0", "");
  }
  const usual = money ? money.digits : percent ? 0 : 3;
  const least = Math.min(options?.minimumFractionDigits
    ?? (money ? Math.min(usual, options.maximumFractionDigits ?? usual) : 0), 100);
  const most = Math.min(Math.max(options?.maximumFractionDigits ?? usual, least), 100);
  const size = Math.abs(percent ? 100 * number : number);
  // Rounded as it is written, in tens, and not as it is stored.
  const moved = Math.round(Number(`${size}e${most}`));
  const exact = Number.isSafeInteger(moved) ? Number(`${moved}e-${most}`) : size;
  const [whole, rest = ""] = exact.toFixed(most).split(".");
  let fraction = rest;
  while (fraction.length > least && fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  const grouped = options?.useGrouping === false ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return signed(grouped + (fraction && "." + fraction), number < 0 || Object.is(number, -0));
};

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September",
  "October", "November", "December"];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const DATE = { year: "numeric", month: "numeric", day: "numeric" };
const TIME = { hour: "numeric", minute: "2-digit", second: "2-digit" };
const two = (number) => String(number).padStart(2, "0");
const sized = (number, size) => (size === "2-digit" ? two(number % 100) : String(number));
const shortened = (name, size) => (size === "short" ? name.slice(0, 3) : size === "narrow" ? name[0] : name);

const STYLES = {
  full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  long: { year: "numeric", month: "long", day: "numeric" },
  medium: { year: "numeric", month: "short", day: "numeric" },
  short: { year: "2-digit", month: "numeric", day: "numeric" },
};
const part = (type, value) => ({ type, value });
const parts = (type, value) => (value === undefined ? [] : [part(type, value)]);
const together = (between, ...groups) =>
  groups.filter((group) => group.length).reduce((all, group) =>
    (all.length ? [...all, part("literal", between), ...group] : group), []);

// Zones by their names in the IANA database, and by their distance from UTC (`+05:30`).
const DISTANCE = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/;
const zoneOf = (name) => {
  if (name === undefined) return "UTC";
  const [whole, sign, hours, minutes = "00"] = DISTANCE.exec(name) ?? [];
  if (whole) return `${+hours || +minutes ? sign : "+"}${hours}:${minutes}`;
  const known = ask("zone", { name: String(name) });
  if (known === null) throw new RangeError(`Invalid time zone specified: ${name}`);
  return known;
};
// Seconds east of UTC, and what the clocks are called there.
const clockAt = (zone, date) => {
  if (zone === "UTC") return [0, "UTC"];
  const [whole, sign, hours, minutes] = DISTANCE.exec(zone) ?? [];
  if (whole) return [Number(`${sign}1`) * (3600 * hours + 60 * minutes), ""];
  return ask("clock", { zone, milliseconds: date.getTime() });
};
const AMERICAN = { E: "Eastern", C: "Central", M: "Mountain", P: "Pacific", AK: "Alaska",
  H: "Hawaii-Aleutian" };
const distance = (seconds, style) => {
  const size = Math.abs(seconds);
  const hours = Math.floor(size / 3600), minutes = Math.floor(size / 60) % 60;
  const long = style.startsWith("long");
  const rest = [...(long || minutes || size % 60 ? [minutes] : []), ...(size % 60 ? [size % 60] : [])];
  return `GMT${seconds < 0 ? "-" : "+"}${[long ? two(hours) : hours, ...rest.map(two)].join(":")}`;
};
// Names are those of America; elsewhere the distance from UTC stands for them.
const zoneName = (zone, [seconds, letters], style) => {
  if (style.endsWith("Offset")) return distance(seconds, style);
  if (zone === "UTC") return style === "short" ? "UTC" : "Coordinated Universal Time";
  const [name, where, which] = /^(AK|[ECMPH])([SD])T$/.exec(letters) ?? [];
  if (name && /^(America|Canada|Mexico|US|Pacific)\/(?!Havana)/.test(zone)) {
    if (style === "short") return zone === "America/Adak" ? `HA${which}T` : name;
    return `${AMERICAN[where]} ${which === "S" ? "Standard" : "Daylight"} Time`;
  }
  return seconds === 0 && style === "short" ? "GMT" : distance(seconds, style);
};

const dayParts = (date, { weekday, year, month, day }) => {
  const at = date.getUTCMonth(), number = date.getUTCFullYear();
  const years = parts("year", year && sized(number > 0 ? number : 1 - number, year));
  const days = parts("day", day && sized(date.getUTCDate(), day));
  const name = parts("weekday", weekday && shortened(DAYS[date.getUTCDay()], weekday));
  if (month && !/numeric|2-digit/.test(month)) {
    const months = together(" ", parts("month", shortened(MONTHS[at], month)), days);
    return together(day || !year ? ", " : " ", name, months, years);
  }
  return together(", ", name, together("/", parts("month", month && sized(at + 1, month)), days, years));
};
const timeParts = (date, { hour, minute, second, hour12, hourCycle }) => {
  const hours = date.getUTCHours();
  const halved = hour12 ?? !/^h2[34]$/.test(hourCycle);
  const cycle = hour12 !== undefined ? "" : hourCycle;
  const shown = halved ? hours % 12 || (cycle === "h11" ? 0 : 12) : hours || (cycle === "h24" ? 24 : 0);
  const size = (number, before) => (before ? two(number) : String(number));
  const clock = together(":",
    parts("hour", hour && (hour === "2-digit" || !halved ? two(shown) : String(shown))),
    parts("minute", minute && size(date.getUTCMinutes(), hour || second)),
    parts("second", second && size(date.getUTCSeconds(), minute)));
  return together(" ", clock, parts("dayPeriod", hour && halved ? (hours < 12 ? "AM" : "PM") : undefined));
};
const DAY = { weekday: 1, ...DATE };
// `usual` is shown where none of the `needed` is asked for; other styles are none of theirs.
const dateParts = (date, options, usual = DATE, needed = { ...DAY, ...TIME }) => {
  const { dateStyle, timeStyle } = options ?? {};
  if ((dateStyle && !needed.year) || (timeStyle && !needed.hour)) throw new TypeError("Invalid option");
  const zone = zoneOf(options?.timeZone);
  const clock = clockAt(zone, date);
  // There is no date behind the last one.
  const there = new Date(Math.max(-8.64e15, Math.min(date.getTime() + 1000 * clock[0], 8.64e15)));
  let wanted = { ...STYLES[dateStyle], ...(timeStyle && { hour: "numeric", minute: "2-digit" }),
    ...(timeStyle && timeStyle !== "short" && { second: "2-digit" }),
    ...(/^(full|long)$/.test(timeStyle) && { timeZoneName: timeStyle === "full" ? "long" : "short" }),
    ...options };
  const any = (names) => Object.keys(names).some((name) => wanted[name] !== undefined);
  if (!any(needed)) wanted = { ...usual, ...wanted };
  const { timeZoneName: named, month } = wanted;
  const name = parts("timeZoneName", named && zoneName(zone, clock, named));
  const [day, time] = [dayParts(there, wanted), any(TIME) ? timeParts(there, wanted) : []];
  if (!time.length) return together(", ", day, name);
  const between = month === "long" ? " at " : day.length === 1 && day[0].type === "weekday" ? " " : ", ";
  return together(between, day, together(" ", time, name));
};
const written = (parts) => parts.map(({ value }) => value).join("");
const writeDate = (date, ...more) => (isNaN(date) ? "Invalid Date" : written(dateParts(date, ...more)));

native(Number.prototype, {
  toLocaleString(_, options) { return writeNumber(Number(this), options); },
});
native(Date.prototype, {
  toLocaleString(_, options) { return writeDate(this, options, { ...DATE, ...TIME }); },
  toLocaleDateString(_, options) { return writeDate(this, options, DATE, DAY); },
  toLocaleTimeString(_, options) { return writeDate(this, options, TIME, TIME); },
});

// Letters before their marks, these before their case: small ones first.
const folded = (text) => text.normalize("NFD").replace(/\p{M}+/gu, "").toLowerCase();
const order = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
native(String.prototype, {
  localeCompare(other) {
    const [mine, theirs] = [String(this), String(other)];
    const [a, b] = [folded(mine), folded(theirs)];
    return order(a, b) || order(mine.toLowerCase(), theirs.toLowerCase()) || order(theirs, mine);
  },
});

// Objects of Intl, as far as libraries make them: all of them are of American English.
const LOCALE = "en-US";
class Formatter {
  #options;
  constructor(locales, options = {}) {
    this.#options = { ...options };
    if (options?.style === "currency") currencyOf(options);
  }
  get _options() { return this.#options; }
  resolvedOptions() { return { locale: LOCALE, ...this._options }; }
  static supportedLocalesOf(locales = []) { return Intl.getCanonicalLocales(locales); }
}
// `format` is a getter whose function needs no `this`, so that it can be handed on.
class NumberFormat extends Formatter {
  get format() { return (number) => writeNumber(Number(number), this._options); }
  resolvedOptions() { return { numberingSystem: "latn", style: "decimal", ...super.resolvedOptions() }; }
}
class DateTimeFormat extends Formatter {
  constructor(locales, options = {}) {
    super(locales, { ...options, timeZone: zoneOf(options.timeZone) });
  }
  get format() { return (date) => written(this.formatToParts(date)); }
  formatToParts(date = Date.now()) {
    if (isNaN(date)) throw new RangeError("Invalid time value");
    return dateParts(new Date(date), this._options);
  }
  resolvedOptions() {
    return { calendar: "gregory", numberingSystem: "latn", ...super.resolvedOptions() };
  }
}
class Collator extends Formatter {
  get compare() {
    return (one, other) => {
      const texts = [String(one), String(other)];
      if (!this._options.numeric) return texts[0].localeCompare(texts[1]);
      // Numbers by their size, and what stands between them as text.
      const [a, b] = texts.map((text) => text.split(/(\d+)/));
      for (let at = 0; at < Math.min(a.length, b.length); at++) {
        const order = at % 2 ? Number(a[at]) - Number(b[at]) : a[at].localeCompare(b[at]);
        if (order) return Math.sign(order);
      }
      return Math.sign(a.length - b.length);
    };
  }
}
class PluralRules extends Formatter {
  select(number) {
    if (this._options.type !== "ordinal") return Number(number) === 1 ? "one" : "other";
    const [tens, ones] = [number % 100, number % 10];
    if (tens >= 11 && tens <= 13) return "other";
    return ["other", "one", "two", "few"][ones] ?? "other";
  }
}
class ListFormat extends Formatter {
  format(list) {
    const items = [...list].map(String);
    const { type = "conjunction" } = this._options;
    const word = { conjunction: "and", disjunction: "or" }[type];
    if (items.length < 2) return items.join("");
    if (!word) return items.join(", ");
    if (items.length === 2) return items.join(` ${word} `);
    return `${items.slice(0, -1).join(", ")}, ${word} ${items.at(-1)}`;
  }
}
const NAMED_DAYS = { day: ["yesterday", "today", "tomorrow"] };
class RelativeTimeFormat extends Formatter {
  format(value, unit) {
    const name = String(unit).replace(/s$/, "");
    if (!/^(second|minute|hour|day|week|month|quarter|year)$/.test(name)) {
      throw new RangeError(`Invalid unit argument for format() '${unit}'`);
    }
    if (this._options.numeric === "auto" && Math.abs(value) <= 1 && Number.isInteger(value)) {
      if (name === "day") return NAMED_DAYS.day[value + 1];
      if (value || !/second|minute|hour/.test(name)) {
        if (!/second|minute|hour/.test(name)) return `${["last", "this", "next"][value + 1]} ${name}`;
      } else return name === "second" ? "now" : `this ${name}`;
    }
    const size = `${writeNumber(Math.abs(value))} ${name}${Math.abs(value) === 1 ? "" : "s"}`;
    return value < 0 || Object.is(value, -0) ? `${size} ago` : `in ${size}`;
  }
}
// These are called without `new`, too.
const callable = (type) => new Proxy(type, { apply: (_, self, values) => new type(...values) });
const Intl = {
  Collator: callable(Collator), DateTimeFormat: callable(DateTimeFormat), ListFormat,
  NumberFormat: callable(NumberFormat), PluralRules, RelativeTimeFormat,
  getCanonicalLocales: (locales = []) => [...new Set([locales].flat().map(String))],
  get [Symbol.toStringTag]() { return "Intl"; },
};
