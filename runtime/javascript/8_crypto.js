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
  const canonical = ["HMAC", "AES-GCM", "RSASSA-PKCS1-v1_5", "ECDSA", "SHA-1", "SHA-256", "SHA-384",
    "SHA-512"].find((name) => name.toLowerCase() === String(options.name).toLowerCase());
  if (!canonical) throw unsupported(`the algorithm ${options.name}`);
  return { ...options, name: canonical };
};
const hashOf = (options) => {
  if (options.hash === undefined) throw new TypeError("the algorithm needs a hash");
  return named(options.hash).name;
};
const importedAlgorithm = (options, bytes) => {
  if (options.name === "HMAC") {
    return { name: "HMAC", hash: { name: hashOf(options) }, length: 8 * bytes.length };
  }
  if (options.name === "AES-GCM") {
    if (![16, 24, 32].includes(bytes.length)) {
      throw new DOMException("an AES key has 16, 24 or 32 bytes", "DataError");
    }
    return { name: "AES-GCM", length: 8 * bytes.length };
  }
  if (options.name === "ECDSA") return { name: "ECDSA", namedCurve: options.namedCurve };
  return { name: options.name, hash: { name: hashOf(options) } };
};
const jwkOf = (bytes, key) => ({
  kty: "oct", k: bytes.toBase64({ alphabet: "base64url", omitPadding: true }),
  ext: key.extractable, key_ops: [...key.usages],
});

const subtle = {
  async digest(algorithm, data) {
    const bytes = copyOf(data);
    return unbase64(ask("digest", { hash: named(algorithm).name, data: base64(bytes) })).buffer;
  },
  async importKey(format, data, algorithm, extractable, usages) {
    const options = named(algorithm);
    const symmetric = ["HMAC", "AES-GCM"].includes(options.name);
    let type = symmetric ? "secret" : format === "pkcs8" ? "private" : "public";
    let bytes;
    if (format === "jwk") {
      const answer = ask("keyOfJwk", { jwk: { ...data } });
      if ((answer.type === "secret") !== symmetric) {
        throw new DOMException("the key is not of that algorithm", "DataError");
      }
      bytes = unbase64(answer.key);
      type = answer.type;
    } else if (format === (symmetric ? "raw" : type === "private" ? "pkcs8" : "spki")) {
      bytes = copyOf(data);
      if (!symmetric) ask("checkedKey", { type, key: base64(bytes) });
    } else throw unsupported(`a key of ${options.name} in the format ${format}`);
    return new CryptoKey(
      secretOfKeys, bytes, type, importedAlgorithm(options, bytes), extractable, usages);
  },
  async exportKey(format, key) {
    if (!key.extractable) throw new DOMException("the key is not extractable", "InvalidAccessError");
    const bytes = unbase64(keyBytes(key));
    if (format === "jwk" && key.type === "secret") return jwkOf(bytes, key);
    if (format !== { secret: "raw", private: "pkcs8", public: "spki" }[key.type]) {
      throw unsupported(`the format ${format} for this key`);
    }
    return bytes.buffer;
  },
  async generateKey(algorithm, extractable, usages) {
    const options = named(algorithm);
    if (!["HMAC", "AES-GCM"].includes(options.name)) {
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
    const hash = key.algorithm.hash?.name ?? hashOf(options);
    return unbase64(ask(options.name === "HMAC" ? "hmac" : "sign", { ...values, hash })).buffer;
  },
  async verify(algorithm, key, signature, data) {
    const options = named(algorithm);
    const values = { key: keyBytes(key, "verify"), data: base64(copyOf(data)) };
    if (options.name !== key.algorithm.name) {
      throw new DOMException("the key is of another algorithm", "InvalidAccessError");
    }
    const hash = key.algorithm.hash?.name ?? hashOf(options);
    const claimed = base64(copyOf(signature));
    if (options.name === "HMAC") {
      return ask("equal", { a: ask("hmac", { ...values, hash }), b: claimed });
    }
    return ask("verify", { ...values, hash, signature: claimed });
  },
  async encrypt(algorithm, key, data) { return aes(algorithm, key, data, "encrypt"); },
  async decrypt(algorithm, key, data) { return aes(algorithm, key, data, "decrypt"); },
};
const aes = (algorithm, key, data, usage) => {
  const options = named(algorithm);
  if (options.name !== "AES-GCM" || key.algorithm.name !== "AES-GCM") {
    throw unsupported(`${usage} with ${options.name}`);
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
