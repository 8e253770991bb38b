/** Making spaces and collections: for who may make content in an organization. */

import { useState } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../graph/generated/index.ts';
import { useWrite } from '../../graph/write.ts';
import { toCollection, toSpace, toSpaceView } from '../../place.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Button } from '../../ui/ui.tsx';
import { admin, Text, Tick } from '../kit.tsx';
import { CollectionChoice } from '../space-choice.tsx';

const SPACE = graphql(`
  mutation CreateSpaceHere($organization: ID!, $input: CreateSpaceInput!) { createSpace(organizationId: $organization, input: $input) { id } }
`);
const COLLECTION = graphql(`
  mutation CreateCollectionHere($organization: ID!, $input: CreateCollectionInput!) { createCollection(organizationId: $organization, input: $input) { id } }
`);

type What = 'space' | 'collection';

export default function CreateContent({ organization, collection = null }: { organization: string; collection?: { readonly id: string; readonly title: string } | null }) {
  const a = useAdminTexts();
  const t = useTexts();
  const [, navigate] = useLocation();
  const [what, setWhat] = useState<What>('space');
  const [isOpen, setOpen] = useState(false);
  const [title, setTitle, forget] = useDraft(`new content ${organization}`);
  const [parent, setParent] = useState(collection?.id ?? '');
  const [isLive, setLive] = useState(false);
  const [isImported, setImported] = useState(false);
  const space = useWrite(SPACE);
  const folder = useWrite(COLLECTION);
  const send = async (): Promise<void> => {
    const common = { title: title.trim(), parent: parent || null };
    const created = what === 'collection'
      ? (await folder.write({ organization, input: common }))?.createCollection
      : (await space.write({ organization, input: { ...common, editMode: isLive ? 'LIVE' : 'LOCKED' } }))?.createSpace;
    if (!created) return;
    forget(title);
    setOpen(false);
    navigate(what === 'collection' ? toCollection(created.id) : isImported ? toSpaceView(created.id, 'import') : toSpace(created.id));
  };
  const begin = (next: What): void => {
    setWhat(next);
    setOpen(true);
  };
  return (
    <>
      <div className={admin.line}>
        <Button look="primary" onPress={() => begin('space')}>{a.content.newSpace}</Button>
        <Button onPress={() => begin('collection')}>{a.content.newCollection}</Button>
      </div>
      <FormDialog
        title={what === 'collection' ? a.content.newCollection : a.content.newSpace} action={t.create} isOpen={isOpen} onClose={() => setOpen(false)}
        onSend={send} busy={space.busy || folder.busy} error={what === 'collection' ? folder.error : space.error}
      >
        <Text label={a.title} value={title} onChange={setTitle} required autoFocus />
        <CollectionChoice organization={organization} label={a.content.into} none={a.content.atTheTop} value={parent} begin={collection} onChange={setParent} />
        {what === 'space' ? (
          <>
            <Tick label={a.content.live} hint={a.content.liveAbout} checked={isLive} onChange={setLive} />
            <Tick label={a.content.importNext} checked={isImported} onChange={setImported} />
          </>
        ) : null}
      </FormDialog>
    </>
  );
}
