// Streams that compress. The bytes of a stream are gathered, and become others at its end.

const formatOf = (format) => {
  const name = String(format);
  if (!["gzip", "deflate", "deflate-raw"].includes(name)) {
    throw new TypeError(`the format ${JSON.stringify(name)} is not supported`);
  }
  return name;
};
const gathered = (call, format) => {
  const chunks = [new Uint8Array(0)];
  return {
    transform(chunk) { chunks.push(copyOf(chunk)); },
    flush(out) {
      let data;
      try {
        data = unbase64(ask(call, { format, data: base64(joined(chunks)) }));
      } catch (error) {
        throw new TypeError(error.message);
      }
      if (data.byteLength) out.enqueue(data);
    },
  };
};
class CompressionStream extends TransformStream {
  constructor(format) { super(gathered("compress", formatOf(format))); }
}
class DecompressionStream extends TransformStream {
  constructor(format) { super(gathered("decompress", formatOf(format))); }
}
