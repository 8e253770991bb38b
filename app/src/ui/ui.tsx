/** Small parts that every view is made of. */

import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  Button as AriaButton, type ButtonProps, Dialog as AriaDialog, Heading, Modal, ModalOverlay,
} from 'react-aria-components';
import type { List } from '../graph/more.ts';
import { useTexts } from '../texts/texts.tsx';
import { goToHeading } from './arrival.ts';
import { keysHere } from './keyboard.ts';
import css from './ui.module.css';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';
type Look = 'normal' | 'primary' | 'plain' | 'icon';

const LOOKS: Record<Look, string> = {
  normal: css.button ?? '',
  primary: `${css.button} ${css.primary}`,
  plain: `${css.button} ${css.plain}`,
  icon: `${css.button} ${css.icon}`,
};
export const looks = (look: Look): string => LOOKS[look];

export function Button({ look = 'normal', ...props }: Omit<ButtonProps, 'className'> & { look?: Look }) {
  return <AriaButton {...props} className={LOOKS[look]} />;
}

export function Dialog({ title, isOpen, onClose, wide = false, children }: {
  title: string; isOpen: boolean; onClose: () => void; wide?: boolean; children: ReactNode;
}) {
  const t = useTexts();
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => open || onClose()}
      className={css.overlay ?? ''}
    >
      <Modal className={`${css.modal} ${wide ? css.wide : ''}`}>
        <AriaDialog className={css.dialog ?? ''}>
          <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center' }}>
            <Heading slot="title" level={2} className={css.dialogTitle ?? ''}>{title}</Heading>
            <Button look="icon" aria-label={t.close} onPress={onClose}><X size={18} aria-hidden /></Button>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={css.badge} data-tone={tone}>{children}</span>
);

export function Notice({ tone, children, role }: { tone: Tone; children: ReactNode; role?: 'alert' | 'status' }) {
  return <div className={css.notice} data-tone={tone} role={role}>{children}</div>;
}

/** Initials of a person; their name stands beside it, so it says nothing by itself. */
export function Face({ name }: { name: string }) {
  const letters = name.split(/\s+/u).filter(Boolean).map((word) => [...word][0] ?? '');
  const initials = (letters.length > 1 ? `${letters[0]}${letters.at(-1)}` : (letters[0] ?? '?')).toUpperCase();
  return <span className={css.face} aria-hidden="true">{initials}</span>;
}

/** Where a row of buttons comes, which is loaded by itself. */
export const Room = () => <div className={css.room} />;

export const Empty = ({ children }: { children: ReactNode }) => <div className={css.empty}>{children}</div>;

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** More of a list, and its other parts where it is longer than a view draws; `what` it is of, where a view has several. */
export function More({ list, info, what }: { list: List; info: PageInfo | null | undefined; what?: string }) {
  const t = useTexts();
  const bar = useRef<HTMLDivElement>(null);
  const before = useRef(list.part);
  // Other rows stand where those before were: who asked for them begins above them.
  useEffect(() => {
    if (before.current !== list.part) goToHeading(bar.current);
    before.current = list.part;
  }, [list.part]);
  const end = info?.hasNextPage ? info.endCursor : null;
  // More is on its way until the list ends elsewhere.
  const [isComing, setComing] = useState(false);
  useEffect(() => setComing(false), [list.part, info?.endCursor]);
  const more = (): void => {
    setComing(true);
    list.more();
  };
  const of = what ? <span className="hidden-text"> {what}</span> : null;
  if (end === null && list.part === 1) return null;
  return (
    <div ref={bar} className={css.more}>
      {list.part > 1 ? <><span className={css.hint}>{t.partOfList(list.part)}</span><Button onPress={list.back}>{t.toPart(list.part - 1)}{of}</Button></> : null}
      {end === null ? null
        : list.isFull ? <Button onPress={() => list.forward(end)}>{t.toPart(list.part + 1)}{of}</Button>
        : <Button onPress={more}>{t.showMore}{of}</Button>}
      {isComing ? <span className={css.hint} role="status">{t.loading}</span> : null}
    </div>
  );
}

export const Kbd = ({ children }: { children: string }) => <kbd className={css.kbd}>{keysHere(children)}</kbd>;

/** Text of somebody, in the direction of its script. */
export const Words = ({ children }: { children: string }) => <bdi>{children}</bdi>;

export { css as ui };
