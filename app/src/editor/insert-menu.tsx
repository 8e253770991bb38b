/** The list behind `/` and behind the button: it is loaded beside the editor, and drawn where somebody asks for it. */

import { ChevronDown, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useTexts } from '../texts/texts.tsx';
import { part, useSoon } from '../ui/part.ts';
import { ui } from '../ui/ui.tsx';
import css from './editor.module.css';
import type { InsertionId } from './insertions.ts';
import type { Session, Shown } from './session.ts';
import { slashKey } from './slash.ts';

const InsertList = part(() => import('./insert-list.tsx'));
const InsertSearch = part(async () => ({ default: (await import('./insert-list.tsx')).InsertSearch }));
type Offers = (query: string) => readonly InsertionId[];

export function InsertButton({ options, onChoose }: { options: Offers; onChoose: (id: InsertionId) => void }) {
  const t = useTexts().editor;
  const [isOpen, setOpen] = useState(false);
  // Keys go into its field at once.
  useSoon(InsertList, InsertSearch);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <AriaButton className={css.tool ?? ''} aria-label={t.insert}><Plus size={16} aria-hidden /><span aria-hidden="true">{t.insert}</span><ChevronDown size={14} aria-hidden /></AriaButton>
      <Popover className={ui.popover ?? ''} placement="bottom start">
        <Dialog aria-label={t.insertBlock} style={{ outline: 'none' }}>
          <Suspense fallback={null}>
            <InsertSearch
              options={options}
              onChoose={(id) => {
                setOpen(false);
                onChoose(id);
              }}
            />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

export function InsertMenu({ session, shown, options }: {
  session: Session; shown: Shown; options: Offers;
}) {
  const open = slashKey.getState(shown.state);
  if (!open || session.view.isDestroyed) return null;
  return <Suspense fallback={null}><InsertList session={session} open={open} options={options} /></Suspense>;
}
