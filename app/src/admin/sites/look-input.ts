/** What a read of the look gave, as it may be sent back: without types and without what is not set. */

export function asInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asInput);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name, one]) => name !== '__typename' && one !== null)
    // The id of a font is `fontId` in answers.
    .map(([name, one]) => [name === 'fontId' ? 'id' : name, asInput(one)]);
  return Object.fromEntries(entries);
}
