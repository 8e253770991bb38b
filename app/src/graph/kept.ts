/** What a view goes on showing while its query is answered anew, or could not be answered. */

export interface Kept<Data> {
  readonly key: string;
  readonly data: Data | null | undefined;
}

/**
 * Variables as a key. Numbers and cursors are left out: they say how much of a list is read, and which
 * part of it; that does not make another view.
 */
export const keyOfVariables = (variables: unknown): string =>
  JSON.stringify(variables, (name, value: unknown) => (typeof value === 'number' || name.startsWith('after') ? undefined : value));

/**
 * The data to show: of these variables alone, for the client gives that of the ones before until there
 * is an answer. What was there stays when reading it again has failed (`failed`: the connection or the
 * server, and not the right to read it).
 */
export function keep<Data>(before: Kept<Data> | null, key: string, data: Data | null | undefined, failed: boolean): {
  readonly kept: Kept<Data> | null;
  readonly shown: Data | null | undefined;
} {
  const isSame = before !== null && before.key === key;
  if (before !== null && !isSame && data != null && data === before.data) return { kept: before, shown: undefined };
  const shown = isSame && failed && data == null ? before.data : data;
  return { kept: { key, data: shown }, shown };
}
