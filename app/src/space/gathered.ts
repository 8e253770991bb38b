/**
 * What changes that were made right behind each other have become: each is said once, as it is at the end. Those of one kind are
 * undone together, from the last; whoever has renamed a page and removed it wants it back, with its new name.
 */
export class Gathered<Said, Back> {
  private said = new Map<string, Said>();
  private backs: readonly Back[] | null = [];
  private kind = '';

  /** `about`: what the same change has again later, as the move of one page; `back`: what undoes it, null where nothing does. */
  add(kind: string, about: string, said: Said, back: readonly Back[] | null): void {
    const before = kind === this.kind ? this.backs : [];
    this.kind = kind;
    this.backs = back && before ? [...back, ...before] : null;
    // Last is last.
    const key = `${kind} ${about}`;
    this.said.delete(key);
    this.said.set(key, said);
  }

  take(): { readonly said: readonly Said[]; readonly back: readonly Back[] | null } {
    const all = { said: [...this.said.values()], back: this.backs };
    this.said = new Map();
    this.backs = [];
    this.kind = '';
    return all;
  }
}
