/** References that were not resolved beside their text: of comments, and of reusable contents in a page. */

import type { ReactNode } from 'react';
import { graphql } from '../graph/generated/index.ts';
import { useRead } from '../graph/reading.tsx';
import { versionArguments } from '../place.ts';
import type { ContentReference } from './model.ts';
import { type Reader, type Target, toThere, useReader } from './references.tsx';
import { personAt } from './text.ts';

const PERSON = graphql(`
  query PersonReferredTo($id: ID!) { user(id: $id) { id displayName email } }
`);
const PAGE = graphql(`
  query PageReferredTo($space: ID!, $page: ID!, $changeRequestId: ID, $revisionId: ID) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId, revisionId: $revisionId) { id title emoji path space { id } }
  }
`);
/** What is known of a reference stays: each is read once. */
const ONCE = { requestPolicy: 'cache-first' } as const;

interface Asked {
  readonly user: string | null;
  readonly page: string | null;
  readonly space: string;
  readonly anchor: string;
}

function askedOf(reference: ContentReference, target: Target, reader: Reader): Asked {
  const fields = reference as { kind: string; user?: string; page?: string; space?: string; anchor?: string; url?: string };
  const person = fields.url === undefined ? null : personAt(fields.url);
  const isOpen = target.title === '' && target.href === null && !target.broken;
  return {
    user: isOpen && fields.kind === 'user' ? (fields.user ?? null) : person,
    page: isOpen && (fields.kind === 'page' || fields.kind === 'anchor') ? (fields.page ?? null) : null,
    space: fields.space ?? reader.space,
    anchor: fields.kind === 'anchor' && fields.anchor ? `#${encodeURIComponent(fields.anchor)}` : '',
  };
}

/** What a reference leads to, also where it has to be asked for. */
export function Resolved({ reference, children }: { reference: ContentReference; children: (target: Target) => ReactNode }) {
  const reader = useReader();
  const target = reader.resolve(reference);
  const { user, page, space, anchor } = askedOf(reference, target, reader);
  if (user !== null) return <OfPerson id={user} target={target}>{children}</OfPerson>;
  if (page !== null && space !== '') return <OfPage space={space} page={page} anchor={anchor} target={target} reader={reader}>{children}</OfPage>;
  return <>{children(target)}</>;
}

function OfPerson({ id, target, children }: { id: string; target: Target; children: (target: Target) => ReactNode }) {
  const person = useRead(PERSON, { id }, false, ONCE).data?.user;
  return <>{children(person ? { ...target, title: person.displayName, about: person.email ?? undefined } : target)}</>;
}

function OfPage({ space, page, anchor, target, reader, children }: {
  space: string; page: string; anchor: string; target: Target; reader: Reader; children: (target: Target) => ReactNode;
}) {
  const of = space === reader.space ? versionArguments(reader.version) : { changeRequestId: null, revisionId: null };
  const there = useRead(PAGE, { space, page, ...of }, false, ONCE).data?.page;
  return <>{children(there ? toThere(there, reader.space, reader.version, anchor) : target)}</>;
}
