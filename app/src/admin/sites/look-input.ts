/** What a read of the look gave, as it may be sent back: without types and without what is not set. */

export function asInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asInput);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name, member]) => name !== '__typename' && member !== null)
    // The id of a font is `fontId` in answers.
    .map(([name, member]) => [name === 'fontId' ? 'id' : name, asInput(member)]);
  return Object.fromEntries(entries);
}

/** What is kept of a form after a part of it was saved: members that say something else now. */
export function behindLook(draft: string, saved: object): string {
  const now = (draft ? JSON.parse(draft) : {}) as Record<string, unknown>;
  const left = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify((saved as Record<string, unknown>)[name]));
  return left.length > 0 ? JSON.stringify(Object.fromEntries(left)) : '';
}

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Settings with those that were changed; of a group of settings the others are as they are saved by now. */
export function changed<Settings extends object>(saved: Settings, changes: Settings): Settings {
  const entries = Object.entries(changes).map(([name, value]) => {
    const before = (saved as Record<string, unknown>)[name];
    return [name, isGroup(before) && isGroup(value) ? { ...before, ...value } : value];
  });
  return { ...saved, ...Object.fromEntries(entries) };
}
