/** A page that is edited, at the address of the page with `?edit=` and its id: the id stays when the title changes. */

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { EditedPageQuery } from '../graph/generated/graphql.ts';
import { Reading, useRead } from '../graph/reading.tsx';
import { useStill } from '../graph/staying.ts';
import { refreshVisible } from '../graph/visible.ts';
import { toPageOf, type Version } from '../place.ts';
import { useLinks } from '../space/page-links.ts';
import type { SpaceFrame } from '../space/routes.tsx';
import { useTexts } from '../texts/texts.tsx';
import { useHeading } from '../ui/arrival.ts';
import { useTitle } from '../ui/title.ts';
import { Badge, Button, Notice } from '../ui/ui.tsx';
import { Editor, useEdited } from './editor.tsx';
import css from './editor.module.css';
import { EDITED_PAGE, readingOf, variablesOf } from './graph.ts';
import type { Session } from './session.ts';

const ALWAYS_NEW = { requestPolicy: 'network-only' } as const;

export default function EditPage({ space, version, id }: { space: SpaceFrame; version: Version; id: string }) {
  const edited = useEdited(space.id, id, version);
  const result = useRead(EDITED_PAGE, variablesOf(edited), false, ALWAYS_NEW);
  return (
    <Reading result={result} pick={(data) => (data.page?.__typename === 'DocumentPage' ? data.page : null)}>
      {(page) => <Editing space={space} edited={edited} page={page} />}
    </Reading>
  );
}

type Page = Extract<NonNullable<EditedPageQuery['page']>, { __typename: 'DocumentPage' }>;

function Editing({ space, edited, page }: { space: SpaceFrame; edited: ReturnType<typeof useEdited>; page: Page }) {
  const texts = useTexts();
  const t = texts.editor;
  const [, navigate] = useLocation();
  const heading = useHeading();
  const { version } = edited;
  useTitle(`${page.title} | ${space.title}`);
  const links = useLinks(edited.space, version, edited.page, page.links);
  const reading = readingOf(page);
  // Where it began; what comes later is taken in.
  const [start] = useState(reading);
  const session = useRef<Session | null>(null);
  useEffect(() => {
    if (reading !== null) session.current?.saving.incoming(reading);
  }, [reading?.revision]);
  const isLeaving = useRef(false);
  const done = async (): Promise<void> => {
    if (isLeaving.current) return;
    isLeaving.current = true;
    try {
      await leave();
    } finally {
      isLeaving.current = false;
    }
  };
  const leave = async (): Promise<void> => {
    if (session.current?.before && !(await session.current.before())) return;
    await session.current?.saving.save();
    // What was refused is told here, and would be told nowhere else.
    const shown = session.current?.snapshot();
    if (shown?.saving.is === 'failed' || (shown && shown.otherTitle !== null)) return;
    refreshVisible();
    navigate(toPageOf(space.id, version, page.path));
  };
  const stays = useStill(page.permissions.edit);
  if (start === null || !stays) return <Notice tone="bad">{t.mayNotEdit}</Notice>;
  return (
    <article className={css.page}>
      <h1 ref={heading} tabIndex={-1} className="hidden-text">{t.pageOf(page.title)}</h1>
      <div className={css.head}>
        {version.kind === 'change' ? <Badge tone="accent">{t.inChange(version.number)}</Badge> : <span>{t.live}</span>}
        <Button look="primary" onPress={() => void done()}>{t.done}</Button>
      </div>
      {page.permissions.edit ? null : <Notice tone="bad" role="alert"><span>{t.mayNotEdit}</span><span>{texts.typedStays}</span></Notice>}
      <Editor edited={edited} organization={space.organization.id} start={start} links={links} onSession={(opened) => (session.current = opened)} />
    </article>
  );
}
