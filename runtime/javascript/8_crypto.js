// Web Cryptography, as far as Python answers for it.

const randomBytes = (size) => unbase64(ask("random", { size }));
const randomHex = (size) => randomBytes(size).toHex();

const secretOfKeys = Symbol();
class CryptoKey {
  #bytes;
  constructor(secret, bytes, type, algorithm, extractable, usages) {
    if (secret !== secretOfKeys) throw new TypeError("Illegal constructor");
    this.#bytes = bytes;
    Object.assign(this, { type, algorithm, extractable: Boolean(extractable), usages: [...usages] });
    Object.freeze(this);
  }
  static _bytes(secret, key) {
    if (secret !== secretOfKeys) throw new TypeError("Illegal access");
    return key.#bytes;
  }
  get [Symbol.toStringTag]() { return "CryptoKey"; }
}
const keyBytes = (key, usage) => {
  if (!(key instanceof CryptoKey)) throw new TypeError("a CryptoKey is expected");
  if (usage && !key.usages.includes(usage)) {
    throw new DOMException(`the key is not for ${usage}`, "InvalidAccessError");
  }
  return base64(CryptoKey._bytes(secretOfKeys, key));
};

const unsupported = (what) => new DOMException(`${what} is not supported`, "NotSupportedError");
const named = (algorithm) => {
  const options = typeof algorithm === "string" ? { name: algorithm } : { ...algorithm };
  const canonical = ["HMAC", "AES-GCM", "AES-CBC", "RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP", "ECDSA",
    "Ed25519", "PBKDF2", "HKDF", "SHA-1", "SHA-256", "SHA-384", "SHA-512"].find((name) => name.toLowerCase() === String(options.name).toLowerCase());
  if (!canonical) throw unsupported(`the algorithm ${options.name}`);
  return { ...options, name: canonical };
};
const hashOf = (options) => {
  if (options.hash === undefined) throw new TypeError("the algorithm needs a hash");
  return named(options.hash).name;
};
const DERIVING = ["PBKDF2", "HKDF"];
const SYMMETRIC = ["HMAC", "AES-GCM", "AES-CBC", ...DERIVING];
const FAMILIES = {
  "RSASSA-PKCS1-v1_5": "RSA", "RSA-PSS": "RSA", "RSA-OAEP": "RSA", ECDSA: "EC", Ed25519: "Ed25519",
};
// `facts` are what Python says of a key that has two halves.
const importedAlgorithm = (options, bytes, facts = {}) => {
  if (options.name === "HMAC") {
    return { name: "HMAC", hash: { name: hashOf(options) }, length: 8 * bytes.length };
  }
  if (DERIVING.includes(options.name)) return { name: options.name };
  if (options.name.startsWith("AES-")) {
    if (![16, 24, 32].includes(bytes.length)) {
      throw new DOMException("an AES key has 16, 24 or 32 bytes", "DataError");
    }
    return { name: options.name, length: 8 * bytes.length };
  }
  if (facts.family !== FAMILIES[options.name]
    || (options.name === "ECDSA" && facts.namedCurve !== options.namedCurve)) {
    throw new DOMException("the key is not of that algorithm", "DataError");
  }
  if (options.name === "Ed25519") return { name: "Ed25519" };
  if (options.name === "ECDSA") return { name: "ECDSA", namedCurve: options.namedCurve };
  return {
    name: options.name, hash: { name: hashOf(options) }, modulusLength: facts.modulusLength,
    publicExponent: new Uint8Array(facts.publicExponent),
  };
};
const jwkOf = (bytes, key) => ({
  kty: "oct", k: bytes.toBase64({ alphabet: "base64url", omitPadding: true }),
  alg: key.algorithm.name === "HMAC" ? key.algorithm.hash.name.replace("SHA-", "HS")
    : `A${key.algorithm.length}${key.algorithm.name.slice(4)}`,
  ext: key.extractable, key_ops: [...key.usages],
});

const JOSE = { "RSASSA-PKCS1-v1_5": "RS", "RSA-PSS": "PS", "RSA-OAEP": "RSA-OAEP" };
const jwkOfPair = (bytes, key) => {
  const jwk = ask("jwkOfKey", { type: key.type, key: base64(bytes) });
  const { name, hash } = key.algorithm;
  const size = hash?.name.slice(4);
  if (name in JOSE) jwk.alg = JOSE[name] + (name !== "RSA-OAEP" ? size : size === "1" ? "" : "-" + size);
  else if (name === "Ed25519") jwk.alg = "Ed25519";
  return { ...jwk, ext: key.extractable, key_ops: [...key.usages] };
};

const subtle = {
  async digest(algorithm, data) {
    const bytes = copyOf(data);
    return unbase64(ask("digest", { hash: named(algorithm).name, data: base64(bytes) })).buffer;
  },
  async importKey(format, data, algorithm, extractable, usages) {
    const options = named(algorithm);
    const symmetric = SYMMETRIC.includes(options.name);
    let type = symmetric ? "secret" : format === "pkcs8" ? "private" : "public";
    let bytes;
    let facts;
    if (symmetric && format === "raw") bytes = copyOf(data);
    else {
      if (format === "jwk") facts = ask("keyOfJwk", { jwk: { ...data } });
      else if (format === "raw" && FAMILIES[options.name] !== "RSA") {
        const curve = options.namedCurve;
        facts = ask("keyOfRaw", { name: options.name, curve, key: base64(copyOf(data)) });
      } else if (!symmetric && (format === "pkcs8" || format === "spki")) {
        facts = ask("checkedKey", { type, key: base64(copyOf(data)) });
      } else throw unsupported(`a key of ${options.name} in the format ${format}`);
      if ((facts.type === "secret") !== symmetric) {
        throw new DOMException("the key is not of that algorithm", "DataError");
      }
      bytes = unbase64(facts.key);
      type = facts.type;
    }
    return new CryptoKey(
      secretOfKeys, bytes, type, importedAlgorithm(options, bytes, facts), extractable, usages);
  },
  async exportKey(format, key) {
    if (!key.extractable) throw new DOMException("the key is not extractable", "InvalidAccessError");
    const bytes = unbase64(keyBytes(key));
    if (format === "jwk") return key.type === "secret" ? jwkOf(bytes, key) : jwkOfPair(bytes, key);
    if (format === "raw" && key.type === "public" && FAMILIES[key.algorithm.name] !== "RSA") {
      return unbase64(ask("rawOfKey", { key: base64(bytes) })).buffer;
    }
    if (format !== { secret: "raw", private: "pkcs8", public: "spki" }[key.type]) {
      throw unsupported(`the format ${format} for this key`);
    }
    return bytes.buffer;
  },
  async generateKey(algorithm, extractable, usages) {
    const options = named(algorithm);
    if (options.name === "ECDSA" || options.name === "Ed25519") {
      const pair = ask("generatedKey", { name: options.name, curve: options.namedCurve });
      const facts = { family: FAMILIES[options.name], namedCurve: options.namedCurve };
      const make = (type, allowed, use) => new CryptoKey(secretOfKeys, unbase64(pair[type]), type,
        importedAlgorithm(options, null, facts), allowed, usages.filter((usage) => usage === use));
      return { privateKey: make("private", extractable, "sign"), publicKey: make("public", true, "verify") };
    }
    if (!["HMAC", "AES-GCM", "AES-CBC"].includes(options.name)) {
      throw unsupported(`generating a key of ${options.name}`);
    }
    const length = options.length ?? (["SHA-384", "SHA-512"].includes(options.hash) ? 1024 : 512);
    const bytes = randomBytes(Math.ceil(length / 8));
    return new CryptoKey(
      secretOfKeys, bytes, "secret", importedAlgorithm(options, bytes), extractable, usages);
  },
  async sign(algorithm, key, data) {
    const options = named(algorithm);
    const values = { key: keyBytes(key, "sign"), data: base64(copyOf(data)) };
    if (options.name !== key.algorithm.name) {
      throw new DOMException("the key is of another algorithm", "InvalidAccessError");
    }
    const details = { ...values, ...signing(options, key) };
    return unbase64(ask(options.name === "HMAC" ? "hmac" : "sign", details)).buffer;
  },
  async verify(algorithm, key, signature, data) {
    const options = named(algorithm);
    const values = { key: keyBytes(key, "verify"), data: base64(copyOf(data)) };
    if (options.name !== key.algorithm.name) {
      throw new DOMException("the key is of another algorithm", "InvalidAccessError");
    }
    const details = { ...values, ...signing(options, key) };
    const claimed = base64(copyOf(signature));
    if (options.name === "HMAC") return ask("equal", { a: ask("hmac", details), b: claimed });
    return ask("verify", { ...details, signature: claimed });
  },
  async deriveBits(algorithm, key, length, usage = "deriveBits") {
    const options = named(algorithm);
    const secret = keyBytes(key, usage);
    if (options.name !== key.algorithm.name || !DERIVING.includes(options.name)) {
      throw new DOMException("the key is of another algorithm", "InvalidAccessError");
    }
    return unbase64(ask("derive", {
      name: options.name, key: secret, hash: hashOf(options), salt: base64(copyOf(options.salt)),
      info: options.info ? base64(copyOf(options.info)) : "", iterations: options.iterations ?? 1,
      length,
    })).buffer;
  },
  async deriveKey(algorithm, key, wanted, extractable, usages) {
    const { name, length, hash } = named(wanted);
    const size = name === "HMAC" ? length ?? (/384|512/.test(hash?.name ?? hash) ? 1024 : 512) : length;
    const bits = await this.deriveBits(algorithm, key, size, "deriveKey");
    return this.importKey("raw", bits, wanted, extractable, usages);
  },
  timingSafeEqual(one, other) {
    const [a, b] = [copyOf(one), copyOf(other)];
    if (a.length !== b.length) throw new TypeError("the two are of different lengths");
    return ask("equal", { a: base64(a), b: base64(b) });
  },
  async encrypt(algorithm, key, data) { return coded(algorithm, key, data, "encrypt"); },
  async decrypt(algorithm, key, data) { return coded(algorithm, key, data, "decrypt"); },
};
const signing = ({ name, hash, saltLength }, key) => ({
  name, saltLength, hash: name === "Ed25519" ? "" : key.algorithm.hash?.name ?? hashOf({ hash }),
});
const coded = (algorithm, key, data, usage) => {
  const options = named(algorithm);
  if (key.algorithm.name !== options.name) {
    throw new DOMException("the key is of another algorithm", "InvalidAccessError");
  }
  if (options.name === "RSA-OAEP") {
    return unbase64(ask("rsaOaep", {
      key: keyBytes(key, usage), data: base64(copyOf(data)), hash: key.algorithm.hash.name,
      label: options.label ? base64(copyOf(options.label)) : "", encrypt: usage === "encrypt",
    })).buffer;
  }
  if (!options.name.startsWith("AES-")) throw unsupported(`${usage} with ${options.name}`);
  if (options.name === "AES-CBC") {
    return unbase64(ask("aesCbc", {
      key: keyBytes(key, usage), iv: base64(copyOf(options.iv)), data: base64(copyOf(data)),
      encrypt: usage === "encrypt",
    })).buffer;
  }
  if ((options.tagLength ?? 128) !== 128) throw unsupported("a tag of another length than 128 bits");
  return unbase64(ask("aesGcm", {
    key: keyBytes(key, usage), iv: base64(copyOf(options.iv)), data: base64(copyOf(data)),
    additionalData: options.additionalData ? base64(copyOf(options.additionalData)) : "",
    encrypt: usage === "encrypt",
  })).buffer;
};

const crypto = {
  subtle,
  getRandomValues(array) {
    if (!ArrayBuffer.isView(array) || array instanceof Float32Array || array instanceof Float64Array) {
      throw new DOMException("an array of integers is expected", "TypeMismatchError");
    }
    bytesOf(array).set(randomBytes(array.byteLength));
    return array;
  },
  randomUUID() {
    const bytes = randomBytes(16);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = bytes.toHex();
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
      .join("-");
  },
};
