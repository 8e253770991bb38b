import data from '../examples.json';

export interface Example {
  readonly title: string;
  readonly description: string;
  readonly query: string;
  /** Values to start from; a null is filled in from the lookup of the same name. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface ExampleGroup {
  readonly title: string;
  readonly examples: readonly Example[];
}

/** A query that finds a value, and where in its data the value is. */
interface Lookup {
  readonly query: string;
  readonly path: readonly (string | number)[];
}

export const GROUPS: readonly ExampleGroup[] = data.groups;
const LOOKUPS: Readonly<Record<string, Lookup>> = data.lookups;

function valueAt(data: unknown, path: Lookup['path']): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | null | undefined)?.[key],
    data,
  );
}

/**
 * The example's variables with every null replaced by what its lookup finds. A value that is not
 * found (no token, nothing there yet) stays null, for the reader to fill in.
 */
export async function fillVariables(
  example: Example,
  execute: (query: string) => Promise<{ data?: unknown }>,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(example.variables ?? {}).map(async ([name, value]) => {
    const lookup = value === null ? LOOKUPS[name] : undefined;
    if (lookup === undefined) {
      return [name, value] as const;
    }
    const { data: found } = await execute(lookup.query);
    return [name, valueAt(found, lookup.path) ?? null] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
