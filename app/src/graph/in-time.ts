/** Requests that get no answer end, so that nobody waits for ever: a connection may be accepted, and nothing come. */

/**
 * No answer in time. `late`: to a read; `unsure`: to a write, of which nobody knows whether it was stored; `resent`: to a write
 * that is being sent again.
 */
export class Unanswered extends Error {
  override name = 'TimeoutError';

  readonly is: 'late' | 'unsure' | 'resent';

  constructor(is: Unanswered['is']) {
    super();
    this.is = is;
  }
}

export const READ_MS = 20_000;
export const WRITE_MS = 30_000;
/** What a slow line takes while it sends; how much of it has gone is not said. */
const BYTES_PER_MS = 8;

/** `fetch` with the whole answer: it ends when nothing has come for so long. A long answer may take longer, as long as it comes. */
export const inTime = (milliseconds: number, is: Unanswered['is']): typeof fetch => async (input, init = {}) => {
  const ended = new AbortController();
  const { signal, body } = init;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const wait = (more = 0): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isLate = true;
      ended.abort();
    }, milliseconds + more);
  };
  const leave = (): void => ended.abort();
  signal?.addEventListener('abort', leave);
  wait(typeof body === 'string' ? body.length / BYTES_PER_MS : 0);
  try {
    const response = await fetch(input, { ...init, signal: ended.signal });
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (const reader = response.body?.getReader(); reader;) {
      wait();
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
    }
    const { status, statusText, headers } = response;
    return new Response(parts.length > 0 ? new Blob(parts) : null, { status, statusText, headers });
  } catch (fault) {
    throw isLate ? new Unanswered(is) : fault;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
};
