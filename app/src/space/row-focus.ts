/** The focus stays at a row of a tree whose rows are drawn anew, and no key is lost that is pressed while none of them has it. */

/** So long a tree may take to have drawn a row anew, which loses the focus with what it was before. */
const ROW_MS = 1_500;
/** So long a tree that is made anew may take on a busy machine until it has drawn the row that had the focus. */
const TREE_MS = 10_000;

/** Where somebody is in a tree: the row with the focus, and how far down it is scrolled, in pixels. */
interface Spot {
  readonly key: string;
  readonly top: number;
}

/** The row of a page, as far as it is drawn. */
const rowOf = (frame: HTMLElement | null, key: string): HTMLElement | null =>
  frame?.querySelector<HTMLElement>(`[role=row][data-key="${CSS.escape(key)}"]`) ?? null;

/** Whether the focus is where it goes when what had it is gone, or in the tree. */
function isFree(frame: HTMLElement | null): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || frame?.contains(active) === true || active.matches('h1, h2, h3, #content');
}

/** Keys that mean something in a tree: with others the browser does something. */
const isOfTree = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => !ctrlKey && !metaKey && key !== 'Tab' && !/^F\d+$/u.test(key);

interface Held extends Spot {
  /** When it ends, whatever is drawn by then. */
  readonly end: number;
  /** Whether it ends when the row has the focus: it is not drawn anew once more. */
  readonly once: boolean;
  /** Somebody has gone to another row, as programs that read the screen do: they press no key. */
  readonly onLeft?: () => void;
}

export class RowFocus {
  private held: Held | null = null;
  private pressed: KeyboardEvent[] = [];
  /** The row that was given the focus, as it was drawn then. */
  private row: Element | null = null;
  private isLooking = false;

  constructor(private readonly frame: () => HTMLElement | null) {}

  /** The row gets the focus as soon as it is drawn, and again when it is drawn anew, until somebody does something. */
  hold(spot: Spot, onLeft: () => void): void {
    this.begin({ ...spot, end: performance.now() + ROW_MS, once: false, onLeft });
  }

  /** The tree is made anew, and its row gets the focus as soon as it is drawn. */
  giveBack(spot: Spot): void {
    this.begin({ ...spot, end: performance.now() + TREE_MS, once: true });
  }

  private begin(held: Held): void {
    this.held = held;
    if (!this.isLooking) this.look();
  }

  isInside(target: EventTarget | null): boolean {
    return target instanceof Node && this.frame()?.contains(target) === true;
  }

  /** Somebody leaves the row, unless keys wait that were pressed before; whether it is left. */
  leave(): boolean {
    if (this.pressed.length > 0) return false;
    this.held = null;
    return true;
  }

  stop(): void {
    this.held = null;
    this.pressed = [];
  }

  /** Whether a key is for the row that has not got the focus yet, or behind such a one: it is kept until then. */
  keep(event: KeyboardEvent): boolean {
    const isFirst = this.pressed.length === 0;
    if ((this.held === null && isFirst) || !event.isTrusted || !isOfTree(event) || !isFree(this.frame())) return false;
    if (isFirst && this.held && rowOf(this.frame(), this.held.key)?.contains(document.activeElement)) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.pressed.push(event);
    return true;
  }

  private readonly look = (): void => {
    this.isLooking = this.held !== null || this.pressed.length > 0;
    if (!this.isLooking) return;
    // Keys go where the focus is by then, each behind what the one before it has done; with the first of them somebody has gone on.
    const next = this.held === null || this.hasFocus(this.held) ? this.pressed.shift() : undefined;
    if (next) {
      this.held = null;
      document.activeElement?.dispatchEvent(new KeyboardEvent(next.type, next));
      window.setTimeout(this.look);
    } else {
      requestAnimationFrame(this.look);
    }
  };

  /** Whether the row has the focus now; it is given it where it may be. */
  private hasFocus(held: Held): boolean {
    const frame = this.frame();
    // A menu gives the focus back when it has closed.
    const isBusy = document.activeElement?.closest('[role=menu]') != null;
    const row = rowOf(frame, held.key);
    const has = document.activeElement?.closest('[role=row]');
    // A row that had the focus, is still drawn and has it no more was left.
    const isLeft = row !== null && row === this.row && has != null && has !== row && this.isInside(has);
    if (isLeft || performance.now() > held.end || !(isBusy || isFree(frame))) {
      this.stop();
      if (isLeft) held.onLeft?.();
      return false;
    }
    if (row === null) frame?.querySelector('[role=treegrid]')?.scrollTo({ top: held.top });
    else if (!isBusy && !row.contains(document.activeElement)) row.focus({ preventScroll: held.once });
    if (!row?.contains(document.activeElement)) return false;
    this.row = row;
    if (held.once) this.held = null;
    return true;
  }
}
