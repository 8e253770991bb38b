import { useTexts } from '../texts/texts.tsx';
import { Dialog, Kbd } from '../ui/ui.tsx';
import css from './shell.module.css';
import { KEYS } from './shortcuts.ts';

/** The list of keys. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts();
  return (
    <Dialog title={t.keyboard} isOpen={isOpen} onClose={onClose}>
      <dl className={css.keys}>
        {KEYS.map(([name, keys]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{keys.map((key, index) => <span key={key}>{index > 0 ? ` ${t.or} ` : ''}<Kbd>{key}</Kbd></span>)}</dt>
            <dd>{t.keys[name]}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
