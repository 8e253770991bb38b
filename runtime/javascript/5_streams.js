// Streams, as far as bodies and transformations of them need: default readers and writers.

const MOST_QUEUED = 1;
class ReadableStreamDefaultController {
  #stream;
  constructor(stream) { this.#stream = stream; }
  get desiredSize() { return this.#stream._desired(); }
  enqueue(chunk) { this.#stream._enqueue(chunk); }
  close() { this.#stream._close(); }
  error(reason) { this.#stream._error(reason); }
}
class ReadableStreamDefaultReader {
  #stream;
  constructor(stream) {
    if (stream.locked) throw new TypeError("the stream has a reader already");
    this.#stream = stream;
    stream._reader = this;
  }
  get closed() { return this.#of()._closed.promise; }
  #of() {
    if (!this.#stream) throw new TypeError("the reader was released");
    return this.#stream;
  }
  async read() { return await this.#of()._read(); }
  async cancel(reason) { return await this.#of()._cancel(reason); }
  releaseLock() {
    if (this.#stream) this.#stream._reader = null;
    this.#stream = null;
  }
}
class ReadableStream {
  #source; #controller; #queue = []; #waiting = []; #state = "readable"; #failure; #pulling = false;
  #again = false; #started; #most;
  constructor(source = {}, strategy = {}) {
    this.#source = source ?? {};
    this.#most = strategy?.highWaterMark ?? MOST_QUEUED;
    this._reader = null;
    this._disturbed = false;
    this._closed = Promise.withResolvers();
    this._closed.promise.catch(() => {});
    this.#controller = new ReadableStreamDefaultController(this);
    const begun = this.#source.start?.(this.#controller);
    this.#started = Promise.resolve(begun).then(() => this.#pull(), (error) => this._error(error));
  }
  get locked() { return this._reader !== null; }
  _desired() {
    return this.#state === "errored" ? null : this.#state === "closed" ? 0
      : this.#most - this.#queue.length;
  }
  _enqueue(chunk) {
    if (this.#state !== "readable" || this._closing) throw new TypeError("the stream is closed");
    const reader = this.#waiting.shift();
    if (reader) reader.resolve({ value: chunk, done: false });
    else this.#queue.push(chunk);
    if (this._desired() > 0 || this.#waiting.length) this.#pull();
  }
  _close() {
    if (this.#state !== "readable" || this._closing) throw new TypeError("the stream is closed");
    this._closing = true;
    if (!this.#queue.length) this.#end();
  }
  #end() {
    this.#state = "closed";
    for (const reader of this.#waiting.splice(0)) reader.resolve({ value: undefined, done: true });
    this._closed.resolve();
  }
  _error(reason) {
    if (this.#state !== "readable") return;
    this.#state = "errored";
    this.#failure = reason;
    this.#queue = [];
    for (const reader of this.#waiting.splice(0)) reader.reject(reason);
    this._closed.reject(reason);
  }
  #pull() {
    if (this.#state !== "readable" || this._closing || !this.#source.pull) return;
    if (this._desired() <= 0 && !this.#waiting.length) return;
    if (this.#pulling) {
      this.#again = true;
      return;
    }
    this.#pulling = true;
    let pulled;
    try {
      pulled = Promise.resolve(this.#source.pull(this.#controller));
    } catch (error) {
      pulled = Promise.reject(error);
    }
    pulled.then(() => {
      this.#pulling = false;
      if (this.#again) {
        this.#again = false;
        this.#pull();
      }
    }, (error) => this._error(error));
  }
  _read() {
    this._disturbed = true;
    if (this.#queue.length) {
      const value = this.#queue.shift();
      if (this._closing && !this.#queue.length) this.#end();
      else this.#pull();
      return Promise.resolve({ value, done: false });
    }
    if (this.#state === "closed") return Promise.resolve({ value: undefined, done: true });
    if (this.#state === "errored") return Promise.reject(this.#failure);
    const waiting = Promise.withResolvers();
    this.#waiting.push(waiting);
    this.#started.then(() => this.#pull());
    return waiting.promise;
  }
  async _cancel(reason) {
    this._disturbed = true;
    if (this.#state === "errored") throw this.#failure;
    if (this.#state === "closed") return;
    this.#queue = [];
    this.#end();
    await this.#source.cancel?.(reason);
  }
  getReader(options) {
    if (options?.mode !== undefined) throw new TypeError("only default readers are supported");
    return new ReadableStreamDefaultReader(this);
  }
  async cancel(reason) {
    if (this.locked) throw new TypeError("the stream has a reader");
    return await this._cancel(reason);
  }
  async *values({ preventCancel = false } = {}) {
    const reader = this.getReader();
    let ended = false;
    try {
      while (true) {
        const { value, done } = await reader.read();
        if (done) {
          ended = true;
          return;
        }
        yield value;
      }
    } finally {
      if (!ended && !preventCancel) await reader.cancel();
      reader.releaseLock();
    }
  }
  [Symbol.asyncIterator](options) { return this.values(options); }
  tee() {
    const reader = this.getReader();
    const branches = [];
    let reading = false;
    const pull = async () => {
      if (reading) return;
      reading = true;
      try {
        const { value, done } = await reader.read();
        for (const branch of branches) {
          try {
            if (done) branch.close();
            else branch.enqueue(value);
          } catch {}
        }
      } catch (error) {
        for (const branch of branches) branch.error(error);
      } finally {
        reading = false;
      }
    };
    const make = () => new ReadableStream({ start(controller) { branches.push(controller); }, pull });
    return [make(), make()];
  }
  async pipeTo(target, { preventClose = false, preventAbort = false, signal } = {}) {
    const writer = target.getWriter();
    try {
      for await (const chunk of this) {
        signal?.throwIfAborted();
        await writer.write(chunk);
      }
      if (!preventClose) await writer.close();
    } catch (error) {
      if (!preventAbort) await writer.abort(error);
      throw error;
    } finally {
      writer.releaseLock();
    }
  }
  pipeThrough({ readable, writable }, options) {
    this.pipeTo(writable, options).catch(() => {});
    return readable;
  }
  static from(source) {
    const items = source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]();
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await items.next();
        if (done) controller.close();
        else controller.enqueue(await value);
      },
      async cancel(reason) { await items.return?.(reason); },
    });
  }
}

class WritableStreamDefaultWriter {
  #stream;
  constructor(stream) {
    if (stream._writer) throw new TypeError("the stream has a writer already");
    this.#stream = stream;
    stream._writer = this;
  }
  get desiredSize() { return 1; }
  get ready() { return this.#stream._tail.catch(() => {}); }
  get closed() { return this.#stream._closed.promise; }
  write(chunk) { return this.#stream._do("write", chunk); }
  close() { return this.#stream._do("close"); }
  abort(reason) { return this.#stream.abort(reason); }
  releaseLock() { this.#stream._writer = null; }
}
class WritableStream {
  #sink; #controller; #failure = null; #ended = false;
  constructor(sink = {}) {
    this.#sink = sink ?? {};
    this._writer = null;
    this._closed = Promise.withResolvers();
    this._closed.promise.catch(() => {});
    this.#controller = { error: (reason) => this.#fail(reason), signal: new AbortController().signal };
    this._tail = Promise.resolve(this.#sink.start?.(this.#controller));
    this._tail.catch((reason) => this.#fail(reason));
  }
  get locked() { return this._writer !== null; }
  #fail(reason) {
    this.#failure ??= { reason };
    this._closed.reject(reason);
  }
  _do(step, chunk) {
    if (this.#ended) return Promise.reject(new TypeError("the stream is closed"));
    if (step === "close") this.#ended = true;
    const work = this._tail.then(async () => {
      if (this.#failure) throw this.#failure.reason;
      if (step === "write") await this.#sink.write?.(chunk, this.#controller);
      else {
        await this.#sink.close?.(this.#controller);
        this._closed.resolve();
      }
    });
    this._tail = work;
    work.catch((reason) => this.#fail(reason));
    return work;
  }
  getWriter() { return new WritableStreamDefaultWriter(this); }
  close() { return this._do("close"); }
  async abort(reason) {
    if (this.#failure || this.#ended) return;
    this.#fail(reason);
    await this.#sink.abort?.(reason);
  }
}
class TransformStream {
  constructor(transformer = {}) {
    let output;
    let room = Promise.withResolvers();
    this.readable = new ReadableStream({
      start(controller) { output = controller; },
      pull() {
        room.resolve();
        room = Promise.withResolvers();
      },
      cancel(reason) { return transformer.cancel?.(reason); },
    }, { highWaterMark: 1 });
    const controller = {
      get desiredSize() { return output.desiredSize; },
      enqueue: (chunk) => output.enqueue(chunk),
      error: (reason) => output.error(reason),
      terminate: () => output.close(),
    };
    this.writable = new WritableStream({
      start: () => transformer.start?.(controller),
      async write(chunk) {
        while (output.desiredSize !== null && output.desiredSize <= 0) await room.promise;
        try {
          if (transformer.transform) await transformer.transform(chunk, controller);
          else controller.enqueue(chunk);
        } catch (error) {
          output.error(error);
          throw error;
        }
      },
      async close() {
        try {
          await transformer.flush?.(controller);
        } catch (error) {
          output.error(error);
          throw error;
        }
        try {
          output.close();
        } catch {}
      },
      abort(reason) { output.error(reason); },
    });
  }
}
class TextEncoderStream extends TransformStream {
  constructor() {
    super({ transform: (chunk, out) => out.enqueue(encodeText(String(chunk))) });
  }
  get encoding() { return "utf-8"; }
}
class TextDecoderStream extends TransformStream {
  constructor(label, options) {
    const decoder = new TextDecoder(label, options);
    super({
      transform(chunk, out) {
        const text = decoder.decode(chunk, { stream: true });
        if (text) out.enqueue(text);
      },
      flush(out) {
        const text = decoder.decode();
        if (text) out.enqueue(text);
      },
    });
    this.encoding = decoder.encoding;
  }
}
