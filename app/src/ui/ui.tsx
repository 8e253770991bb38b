/** Small parts that every view is made of. */

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton, type ButtonProps, Dialog as AriaDialog, Heading, Modal, ModalOverlay,
} from 'react-aria-components';
import { useTexts } from '../texts/texts.tsx';
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

export const Empty = ({ children }: { children: ReactNode }) => <div className={css.empty}>{children}</div>;

export const Kbd = ({ children }: { children: ReactNode }) => <kbd className={css.kbd}>{children}</kbd>;

/** Text of somebody, in the direction of its script. */
export const Words = ({ children }: { children: string }) => <bdi>{children}</bdi>;

export { css as ui };
