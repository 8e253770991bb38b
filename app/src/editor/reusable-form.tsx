/** Choosing a reusable content: of this space, as this version of it has them, or of another space of the organization. */

import { useRef, useState } from 'react';
import { fitting, useRested } from '../admin/kit.tsx';
import { SpaceChoice } from '../admin/space-choice.tsx';
import { graphql } from '../graph/generated/index.ts';
import { useMore } from '../graph/more.ts';
import { useRead, Waiting } from '../graph/reading.tsx';
import { versionArguments } from '../place.ts';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { Button, Dialog, Empty, More, ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import type { LinkTarget } from './link-targets.tsx';
import type { Edited } from './graph.ts';

const REUSABLE = graphql(`
  query ReusableContents($space: ID!, $changeRequestId: ID, $first: Int!, $after: String, $title: String) {
    revision(spaceId: $space, changeRequestId: $changeRequestId) {
      id
      reusableContents(first: $first, after: $after, title: $title, orderBy: { field: TITLE, direction: ASC }) {
        nodes { id reusableContentId title }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);
const PORTION = 100;

export function ReusableForm({ edited, organization, onChoose, onClose }: {
  edited: Edited; organization: string; onChoose: (target: LinkTarget) => void; onClose: () => void;
}) {
  const texts = useTexts();
  const t = texts.editor;
  const [other, setOther] = useState('');
  const [words, setWords] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const space = other || edited.space;
  const title = useRested(words.trim());
  const shown = useMore(PORTION, undefined, `${space} ${title}`);
  const isOther = space !== edited.space;
  const { data, error, fetching, again } = useRead(REUSABLE, {
    space, first: shown.first, after: shown.after, changeRequestId: isOther ? null : versionArguments(edited.version).changeRequestId, title: title || null,
  });
  const answer = data?.revision?.reusableContents;
  // Those of other words stay until there is an answer: who types and chooses at once means one of them.
  const before = useRef({ space, list: answer });
  if (answer || before.current.space !== space) before.current = { space, list: answer };
  const { list } = before.current;
  const rows = fitting(list?.nodes ?? [], words.trim(), title === words.trim() && answer !== undefined && !fetching);
  const choose = ({ reusableContentId, title }: (typeof rows)[number]): void =>
    onChoose({ reference: { kind: 'reusable-content', reusableContent: reusableContentId, ...(isOther ? { space } : {}) }, title });
  return (
    <Dialog title={t.insertions.reusable} isOpen onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (words.trim() && rows[0]) choose(rows[0]);
        }}
      >
        <label className={ui.field}>
          <span className={ui.label}>{t.reusableWords}</span>
          <input ref={field} className={ui.input} value={words} autoFocus dir="auto" onChange={(event) => setWords(event.target.value)} />
        </label>
        <SpaceChoice organization={organization} label={t.ofSpace} none={t.thisSpace} value={other} onChange={setOther} />
        <FailureNotice error={error} again={again} back={field} />
        {list === undefined && fetching ? <Waiting /> : null}
        {list !== undefined && rows.length === 0 && !fetching ? <Empty>{title ? t.noneCalledSo : t.noReusable}</Empty> : null}
        <ul className={css.pages} aria-label={texts.results}>
          {rows.map((content) => (
            <li key={content.reusableContentId}><Button look="plain" onPress={() => choose(content)}><bdi>{content.title}</bdi></Button></li>
          ))}
        </ul>
        <More list={shown} info={list?.pageInfo} />
      </form>
    </Dialog>
  );
}
