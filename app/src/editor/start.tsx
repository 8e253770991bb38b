/** The way into the editor: in a change request of one's own, or live where the space allows it. */

import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useLocation } from 'wouter';
import { graphql } from '../graph/generated/index.ts';
import { Unread, useRead } from '../graph/reading.tsx';
import { refreshVisible } from '../graph/visible.ts';
import { useMutation } from '../graph/write.ts';
import { toChanges, toPageOf, type Version } from '../place.ts';
import type { SpaceFrame } from '../space/routes.tsx';
import { useViewer } from '../shell/viewer.tsx';
import { useTexts } from '../texts/texts.tsx';
import { FailureNotice } from '../ui/failure.tsx';
import { useSoon } from '../ui/part.ts';
import { looks, ui } from '../ui/ui.tsx';
import { EditPage } from './later.ts';

const DRAFTS = graphql(`
  query OwnDrafts($space: ID!, $creator: ID!, $page: ID!) {
    space(id: $space) {
      id
      changeRequests(first: 5, creator: $creator, status: [DRAFT, OPEN], orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { id number subject } pageInfo { hasNextPage } }
    }
    page(spaceId: $space, id: $page) { id permissions { edit } }
  }
`);

const CREATE = graphql(`
  mutation CreateDraft($space: ID!) { createChangeRequest(spaceId: $space, input: {}) { id number } }
`);

const PAGE = graphql(`
  query MayEdit($space: ID!, $page: ID!, $changeRequestId: ID) {
    page(spaceId: $space, id: $page, changeRequestId: $changeRequestId) { id permissions { edit } }
  }
`);

interface Props {
  readonly space: SpaceFrame;
  readonly version: Version;
  readonly page: { readonly pageId: string; readonly path: string };
}

export default function EditButton(props: Props) {
  return props.version.kind === 'change' ? <InChange {...props} /> : <FromPrimary {...props} />;
}

const addressOf = (space: string, version: Version, page: Props['page']): string => `${toPageOf(space, version, page.path)}?edit=${page.pageId}`;

function InChange({ space, version, page }: Props) {
  const t = useTexts().editor;
  const [, navigate] = useLocation();
  const changeRequestId = version.kind === 'change' ? version.id : null;
  const result = useRead(PAGE, { space: space.id, page: page.pageId, changeRequestId });
  const mayEdit = result.data?.page?.permissions.edit === true;
  useSoon(...(mayEdit ? [EditPage] : []));
  if (!mayEdit) return <Unread {...result} />;
  return (
    <AriaButton className={looks('normal')} onPress={() => navigate(addressOf(space.id, version, page))}>
      <PencilLine size={16} aria-hidden />{t.edit}
    </AriaButton>
  );
}

function FromPrimary({ space, page }: Props) {
  const t = useTexts().editor;
  const viewer = useViewer();
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const result = useRead(DRAFTS, { space: space.id, creator: viewer.id, page: page.pageId });
  const { data } = result;
  const [{ error }, create] = useMutation(CREATE);
  useSoon(EditPage);
  const drafts = data?.space?.changeRequests.nodes ?? [];
  const mayLive = data?.page?.permissions.edit === true;
  const go = (version: Version): void => navigate(addressOf(space.id, version, page));
  const begin = async (): Promise<void> => {
    setBusy(true);
    const created = (await create({ space: space.id })).data?.createChangeRequest;
    setBusy(false);
    if (!created) return;
    refreshVisible();
    go({ kind: 'change', id: created.id, number: created.number });
  };
  const items = [
    ...(mayLive ? [{ id: 'live', label: t.editLive }] : []),
    ...drafts.map((draft) => ({ id: draft.id, label: t.editIn(draft.number, draft.subject) })),
    ...(data?.space?.changeRequests.pageInfo.hasNextPage ? [{ id: 'others', label: t.editInOthers }] : []),
    { id: 'new', label: t.editInNew },
  ];
  const choose = (id: unknown): void => {
    const draft = drafts.find((draft) => draft.id === id);
    if (id === 'others') navigate(toChanges(space.id));
    else if (id === 'live') go({ kind: 'primary' });
    else if (draft) go({ kind: 'change', id: draft.id, number: draft.number });
    else void begin();
  };
  const label = <><PencilLine size={16} aria-hidden />{t.edit}</>;
  return (
    <div>
      {items.length === 1 ? (
        <AriaButton className={looks('normal')} isDisabled={isBusy || !data} onPress={() => void begin()}>{label}</AriaButton>
      ) : (
        <MenuTrigger>
          <AriaButton className={looks('normal')} isDisabled={isBusy}>{label}</AriaButton>
          <Popover className={ui.popover ?? ''}>
            <Menu className={ui.menu ?? ''} aria-label={t.edit} items={items} onAction={choose}>
              {(item) => <MenuItem id={item.id} className={ui.menuItem ?? ''}>{item.label}</MenuItem>}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      <FailureNotice error={error} />
      <Unread {...result} />
    </div>
  );
}
