/**
 * Changes that are written one after the other, in the order in which they were made, while all of them are shown
 * already. Where one is refused, those that wait are given up: they were made of what it should have become.
 */
export class Turns {
  private last: Promise<boolean> = Promise.resolve(true);
  private open = 0;
  private onAnother: (() => void) | null = null;

  /** Whether nothing waits behind what is being written. */
  get isLast(): boolean {
    return this.open <= 1;
  }

  /** Whether something else comes to be written before so many ms are over; known as soon as it comes. */
  another(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (came: boolean): void => {
        window.clearTimeout(timer);
        this.onAnother = null;
        resolve(came);
      };
      const timer = window.setTimeout(() => end(false), ms);
      this.onAnother = () => end(true);
    });
  }

  /** Write when everything before it is written; `giveUp` instead, when something of that was refused, and after a fault. */
  take(write: () => Promise<boolean>, giveUp: () => void): Promise<boolean> {
    const before = this.open === 0 ? Promise.resolve(true) : this.last;
    this.open += 1;
    this.onAnother?.();
    const written = before.then((good) => {
      if (good) return write();
      giveUp();
      return false;
    }).finally(() => void (this.open -= 1));
    // A fault is reported by whoever asked for that write; those behind it go as after a refusal.
    this.last = written.catch(() => {
      giveUp();
      return false;
    });
    return written;
  }
}
