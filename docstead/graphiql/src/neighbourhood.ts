import type {
  IntrospectionField,
  IntrospectionNamedTypeRef,
  IntrospectionObjectType,
  IntrospectionQuery,
  IntrospectionType,
  IntrospectionTypeRef,
} from 'graphql';

/** Types with fields: what the picture has as boxes, beside unions. */
type Composite = Extract<IntrospectionType, { kind: 'OBJECT' | 'INTERFACE' }>;

export function isComposite(type: IntrospectionType): type is Composite {
  return type.kind === 'OBJECT' || type.kind === 'INTERFACE';
}

function namedType(ref: IntrospectionTypeRef): IntrospectionNamedTypeRef {
  // What names a type has the member, too, and nothing in it.
  return ref.kind === 'LIST' || ref.kind === 'NON_NULL' ? namedType(ref.ofType) : ref;
}

/** Pages of lists are drawn as their rows: they add nothing to the distance. */
function isPage(name: string): boolean {
  return name.endsWith('Connection') || name.endsWith('Edge');
}

function neighbours(type: IntrospectionType): string[] {
  if (type.kind === 'UNION') {
    return type.possibleTypes.map((possible) => possible.name);
  }
  if (!isComposite(type)) {
    return [];
  }
  // An interface leads to no implementation: Node would lead to everything.
  return type.fields.map((field) => namedType(field.type).name);
}

/** The names of what is at most `distance` relations away from a type. */
function reached(types: ReadonlyMap<string, IntrospectionType>, root: string, distance: number) {
  const names = new Set([root]);
  let edge = [root];
  for (let step = 0; step < distance; step += 1) {
    const next: string[] = [];
    // A page of a list may lead to another one; all of them belong to this step.
    for (let at = 0; at < edge.length; at += 1) {
      const type = types.get(edge[at]!);
      for (const name of type === undefined ? [] : neighbours(type)) {
        if (!names.has(name)) {
          names.add(name);
          // A union is drawn with its members.
          (isPage(name) || types.get(name)?.kind === 'UNION' ? edge : next).push(name);
        }
      }
    }
    edge = next;
  }
  return names;
}

/** Take away what would have no fields or no members, until everything has some. */
function prune(types: readonly IntrospectionType[], names: Set<string>, stays: Stays): void {
  let size = -1;
  while (size !== names.size) {
    size = names.size;
    for (const type of types) {
      const empty = isComposite(type)
        ? !type.fields.some((field) => stays(namedType(field.type).name))
        : type.kind === 'UNION' && !type.possibleTypes.some(({ name }) => names.has(name));
      if (empty) {
        names.delete(type.name);
      }
    }
  }
}

type Stays = (name: string) => boolean;

/**
 * The part of a schema around one of its types: that, and what is at most `distance` relations away
 * from it. Fields that lead further away are left out, as are arguments.
 */
export function neighbourhood(
  whole: IntrospectionQuery,
  root: string,
  distance: number,
): IntrospectionQuery {
  const { types, directives } = whole.__schema;
  const byName = new Map(types.map((type) => [type.name, type]));
  const names = reached(byName, root, distance);
  const leaf = (name: string): boolean => {
    const kind = byName.get(name)?.kind;
    return kind === 'SCALAR' || kind === 'ENUM';
  };
  const stays: Stays = (name) => names.has(name) || leaf(name);
  prune(types, names, stays);
  const near = (field: IntrospectionField): boolean => stays(namedType(field.type).name);
  const part: IntrospectionType[] = [];
  for (const type of types) {
    if (type.kind === 'INPUT_OBJECT' || type.name.startsWith('__')) {
      continue;
    }
    if (isComposite(type)) {
      if (names.has(type.name)) {
        part.push({
          ...type,
          fields: type.fields.filter(near).map((field) => ({ ...field, args: [] })),
          interfaces: type.interfaces.filter(({ name }) => names.has(name)),
          ...(type.kind === 'INTERFACE' && {
            possibleTypes: type.possibleTypes.filter(({ name }) => names.has(name)),
          }),
        } as Composite);
      }
    } else if (type.kind === 'UNION') {
      const possibleTypes = type.possibleTypes.filter(({ name }) => names.has(name));
      if (names.has(type.name) && possibleTypes.length > 0) {
        part.push({ ...type, possibleTypes });
      }
    } else {
      part.push(type);
    }
  }
  const query = whole.__schema.queryType.name;
  if (!names.has(query)) {
    // A schema has a query; nothing leads to this one.
    part.push({ ...(byName.get(query) as IntrospectionObjectType), fields: [ONLY], interfaces: [] });
  }
  return {
    __schema: {
      queryType: whole.__schema.queryType,
      mutationType: null,
      subscriptionType: null,
      types: part,
      directives: directives.map((directive) => ({ ...directive, args: [] })),
    },
  };
}

const ONLY: IntrospectionField = {
  name: '_', description: null, args: [], isDeprecated: false, deprecationReason: null,
  type: { kind: 'SCALAR', name: 'String' },
};
