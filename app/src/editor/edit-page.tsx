/** A page that is edited, at the address of the page with `?edit=` and its id: the id stays when the title changes. */

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { EditedHeadQuery } from '../graph/generated/graphql.ts';
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
import { EDITED_HEAD, EDITED_PAGE, readingOf, variablesOf } from './graph.ts';
import type { Session } from './session.ts';

const ALWAYS_NEW = { requestPolicy: 'network-only' } as const;

export default function EditPage({ space, version, id }: { space: SpaceFrame; version: Version; id: string }) {
  const edited = useEdited(space.id, id, version);
  // The whole page once, to begin with: what comes later is asked for by the session, where it is not its own.
  const [start, setStart] = useState<{ readonly of: string; readonly reading: Start } | null>(null);
  const isBegun = start !== null && start.of === `${id} ${JSON.stringify(version)}`;
  const whole = useRead(EDITED_PAGE, variablesOf(edited), isBegun, ALWAYS_NEW);
  const head = useRead(EDITED_HEAD, variablesOf(edited), !isBegun, ALWAYS_NEW);
  const first = whole.data?.page;
  useEffect(() => {
    if (!isBegun && first?.__typename === 'DocumentPage') setStart({ of: `${id} ${JSON.stringify(version)}`, reading: readingOf(first) });
  }, [isBegun, first]);
  return (
    <Reading<EditedHeadQuery, Page>
      result={isBegun && (head.data || head.error) ? head : whole} pick={(data) => (data.page?.__typename === 'DocumentPage' ? data.page : null)}
    >
      {(page) => (isBegun ? <Editing space={space} edited={edited} page={page} start={start.reading} /> : null)}
    </Reading>
  );
}

type Start = ReturnType<typeof readingOf>;
type Page = Extract<NonNullable<EditedHeadQuery['page']>, { __typename: 'DocumentPage' }>;

function Editing({ space, edited, page, start }: { space: SpaceFrame; edited: ReturnType<typeof useEdited>; page: Page; start: Start }) {
  const texts = useTexts();
  const t = texts.editor;
  const [, navigate] = useLocation();
  const heading = useHeading();
  const { version } = edited;
  useTitle(`${page.title} | ${space.title}`);
  const links = useLinks(edited.space, version, edited.page, page.links);
  const session = useRef<Session | null>(null);
  useEffect(() => {
    if (page.revision) session.current?.saving.newer(page.revision.id);
  }, [page.revision?.id]);
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
  const [isBeside, setBeside] = useState(false);
  const stays = useStill(page.permissions.edit);
  if (start === null || !stays) return <Notice tone="bad">{t.mayNotEdit}</Notice>;
  return (
    <article className={css.page} data-beside={isBeside || undefined}>
      <h1 ref={heading} tabIndex={-1} className="hidden-text">{t.pageOf(page.title)}</h1>
      <div className={css.head}>
        {version.kind === 'change' ? <Badge tone="accent">{t.inChange(version.number)}</Badge> : <span>{t.live}</span>}
        <Button look="primary" onPress={() => void done()}>{t.done}</Button>
      </div>
      {page.permissions.edit ? null : <Notice tone="bad" role="alert"><span>{t.mayNotEdit}</span><span>{texts.typedStays}</span></Notice>}
      <Editor
        edited={edited} organization={space.organization.id} start={start} links={links} onBeside={setBeside} onSession={(opened) => (session.current = opened)}
      />
    </article>
  );
}
