/** What a site shows: its sections, groups and spaces, in order; changed by dragging, by keys and by menu. */

import { ChevronRight, Ellipsis, GripVertical } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import {
  Button as AriaButton, Collection, type DragAndDropOptions, DropIndicator, Menu, MenuItem, MenuTrigger, Popover, Tree, TreeItem, TreeItemContent, useDragAndDrop,
} from 'react-aria-components';
import type { CombinedError } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../../graph/generated/index.ts';
import type { SiteContentQuery } from '../../graph/generated/graphql.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { toSpace } from '../../place.ts';
import treeCss from '../../space/space.module.css';
import { type Levels, placeOf, ROOT, type Step } from '../../space/tree-moves.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTreeTexts } from '../../texts/tree/index.ts';
import { useMenuPress } from '../../ui/menu-press.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Badge, Button, Empty, Notice, ui } from '../../ui/ui.tsx';
import { admin, Choice, TakenBack, Text } from '../kit.tsx';
import { SpaceChoice } from '../space-choice.tsx';
import type { PartOfSite } from './site.tsx';
import { type Item, levelsOf, stepFrom } from './structure-moves.ts';
import { useMoves } from './structure-writes.ts';

export const SITE_CONTENT = graphql(`
  query SiteContent($id: ID!) {
    site(id: $id) {
      id
      structure {
        __typename
        ... on SiteSectionStructure { items: structure { __typename ... on SiteSection { id } ... on SiteSectionGroup { id } } }
      }
      sections(first: 500) { nodes { __typename id title path default sectionGroupId } }
      sectionGroups(first: 500) { nodes { __typename id title children { __typename ... on SiteSection { id } ... on SiteSectionGroup { id } } } }
      siteSpaces(first: 1000) { nodes { __typename id title path default condition sectionId space { id title } } }
    }
  }
`);
const ADD_SPACE = graphql(`
  mutation AddSiteSpace($site: ID!, $input: AddSiteSpaceInput!) { addSiteSpace(siteId: $site, input: $input) { id } }
`);
const ADD_SECTION = graphql(`
  mutation AddSiteSection($site: ID!, $input: AddSiteSectionInput!) { addSiteSection(siteId: $site, input: $input) { id } }
`);
const ADD_GROUP = graphql(`
  mutation AddSiteGroup($site: ID!, $input: AddSiteSectionGroupInput!) { addSiteSectionGroup(siteId: $site, input: $input) { id } }
`);
const RENAME_SECTION = graphql(`
  mutation RenameSiteSection($id: ID!, $input: UpdateSiteSectionInput!) { updateSiteSection(id: $id, input: $input) { id title } }
`);
const RENAME_GROUP = graphql(`
  mutation RenameSiteGroup($id: ID!, $input: UpdateSiteSectionGroupInput!) { updateSiteSectionGroup(id: $id, input: $input) { id title } }
`);
const REMOVE_SPACE = graphql(`
  mutation RemoveSiteSpace($id: ID!) { deleteSiteSpace(id: $id) { deletedId } }
`);
const REMOVE_SECTION = graphql(`
  mutation RemoveSiteSection($id: ID!) { deleteSiteSection(id: $id) { deletedId } }
`);
const REMOVE_GROUP = graphql(`
  mutation RemoveSiteGroup($id: ID!) { deleteSiteSectionGroup(id: $id) { deletedId } }
`);
const FIRST = graphql(`
  mutation ShowFirst($id: ID!, $input: UpdateSiteInput!) { updateSite(id: $id, input: $input) { id } }
`);

const DRAG_TYPE = 'application/x-docstead-site-item';
const KEYS: Record<string, Step> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'out', ArrowRight: 'in' };
type Asked =
  | { readonly what: 'space' | 'section' | 'group' }
  | { readonly what: 'rename' | 'take'; readonly item: Item };

function Ask({ asked: question, isOpen, organization, site, sections, onClose }: {
  asked: Asked; isOpen: boolean; organization: string; site: string; sections: readonly Item[]; onClose: () => void;
}) {
  const a = useAdminTexts();
  const t = useTexts();
  const [space, setSpace] = useState('');
  const [isSent, setSent] = useState(false);
  const [section, setSection] = useState('');
  const [typed, setTitle] = useState<string | null>(null);
  const addSpace = useWrite(ADD_SPACE);
  const addSection = useWrite(ADD_SECTION);
  const addGroup = useWrite(ADD_GROUP);
  const nameSection = useWrite(RENAME_SECTION);
  const nameGroup = useWrite(RENAME_GROUP);
  const takeSpace = useWrite(REMOVE_SPACE);
  const takeSection = useWrite(REMOVE_SECTION);
  const takeGroup = useWrite(REMOVE_GROUP);
  const into = section || (sections.find((row) => row.__typename === 'SiteSection' && row.default) ?? sections[0])?.pageId || '';
  const item = 'item' in question ? question.item : null;
  const title = typed ?? (question.what === 'rename' ? (item?.title ?? '') : '');
  const isGroup = item?.__typename === 'SiteSectionGroup';
  const writes: Record<Asked['what'], readonly [{ busy: boolean; error: CombinedError | undefined }, () => unknown]> = {
    space: [addSpace, () => space !== '' && addSpace.write({ site, input: { spaceId: space, ...(into ? { sectionId: into } : {}) } })],
    section: [addSection, () => space !== '' && addSection.write({ site, input: { spaceId: space, title: title.trim() || null } })],
    group: [addGroup, () => addGroup.write({ site, input: { title: title.trim() } })],
    rename: isGroup
      ? [nameGroup, () => nameGroup.write({ id: item.pageId, input: { title: title.trim() } })]
      : [nameSection, () => nameSection.write({ id: item?.pageId ?? '', input: { title: title.trim() } })],
    take: isGroup
      ? [takeGroup, () => takeGroup.write({ id: item.pageId })]
      : item?.__typename === 'SiteSection' ? [takeSection, () => takeSection.write({ id: item.pageId })] : [takeSpace, () => takeSpace.write({ id: item?.pageId ?? '' })],
  };
  const [write, send] = writes[question.what];
  const titles = {
    space: a.structure.addSpace, section: a.structure.addSection, group: a.structure.addGroup,
    rename: a.rename, take: a.structure.takeOutTitle(item?.title ?? ''),
  };
  return (
    <FormDialog
      title={titles[question.what]} action={question.what === 'take' ? a.structure.take : question.what === 'rename' ? t.save : a.add}
      isOpen={isOpen} onClose={onClose} busy={write.busy} error={write.error}
      onSend={async () => {
        setSent(true);
        if (await send()) onClose();
      }}
    >
      {question.what === 'take' ? <p>{isGroup ? a.structure.takeGroupAbout : a.structure.takeOutAbout}</p> : null}
      {question.what === 'section' || question.what === 'group' || question.what === 'rename' ? (
        <Text label={question.what === 'section' ? a.structure.sectionTitle : a.title} value={title} onChange={setTitle} required={question.what !== 'section'} autoFocus />
      ) : null}
      {question.what === 'space' || question.what === 'section' ? <SpaceChoice organization={organization} label={a.structure.space} value={space} isMissing={isSent} onChange={setSpace} /> : null}
      {question.what === 'space' && sections.length > 0 ? (
        <Choice label={a.structure.into} value={into} options={sections.map((id) => [id.pageId, id.title] as const)} onChange={setSection} />
      ) : null}
    </FormDialog>
  );
}

interface Node {
  readonly id: string;
  readonly item: Item;
  readonly below: readonly Node[];
}
const nodesOf = (levels: Levels<Item>, parent: string): Node[] =>
  (levels.get(parent) ?? []).map((item) => ({ id: item.pageId, item, below: nodesOf(levels, item.pageId) }));

function About({ item }: { item: Item }) {
  const a = useAdminTexts();
  if (item.__typename === 'SiteSectionGroup') return <span className={ui.hint}>{a.structure.group}</span>;
  return (
    <span className={ui.hint}>
      {item.__typename === 'SiteSection' ? `${a.structure.section} · ` : ''}<bdi>/{item.path}</bdi>
      {item.__typename === 'SiteSpace' && item.condition ? <> · <code>{item.condition}</code></> : null}
    </span>
  );
}

function Board({ organization, site, content }: PartOfSite & { content: NonNullable<SiteContentQuery['site']> }) {
  const a = useAdminTexts();
  const tree = useTreeTexts();
  const read = useMemo(() => levelsOf(content), [content]);
  const { levels, now, move: bring, undo, outcome } = useMoves(site.id, read);
  // All of it is open: that is what one looks at here. What somebody closes stays closed, until something is put into it.
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const move = useCallback<typeof bring>((id, to) => {
    if (to !== null) setClosed((all) => new Set([...all].filter((id) => id !== to.parent)));
    bring(id, to);
  }, [bring]);
  // It stays when it is closed: a refusal that comes then brings it back.
  const [turn, setTurn] = useState<{ readonly question: Asked; readonly round: number } | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = (question: Asked): void => {
    setTurn((before) => ({ question, round: (before?.round ?? 0) + 1 }));
    setAsking(true);
  };
  const press = useMenuPress((at) => at.closest('[role=row]')?.querySelector<HTMLElement>(`.${treeCss.more}`));
  const first = useWrite(FIRST);
  const mayEdit = site.permissions.edit;
  const itemOf = (id: string): Item | null => placeOf(now.current, id)?.page ?? null;
  const { dragAndDropHooks } = useDragAndDrop<object>(useMemo<DragAndDropOptions<object>>(() => ({
    getItems: (keys) => [...keys].map((key) => ({ [DRAG_TYPE]: String(key), 'text/plain': itemOf(String(key))?.title ?? '' })),
    acceptedDragTypes: [DRAG_TYPE],
    getAllowedDropOperations: () => ['move' as const],
    shouldAcceptItemDrop: (target) => itemOf(String(target.key))?.__typename !== 'SiteSpace',
    onMove: ({ keys, target }) => {
      const [id, beside] = [String([...keys][0]), String(target.key)];
      const place = placeOf(now.current, beside);
      if (place === null || beside === id) return;
      move(id, target.dropPosition === 'on' ? { parent: beside } : { parent: place.parent, [target.dropPosition]: beside });
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className={treeCss.drop ?? ''} />,
  }), [move, now]));

  const step = (id: string, way: Step): void => move(id, stepFrom(now.current, id, way));
  // It is the first one at once, and no more when that is refused.
  const [pending, setPending] = useState<Item | null>(null);
  const isFirst = (item: Item): boolean => {
    if (item.__typename === 'SiteSectionGroup') return false;
    return pending?.__typename === item.__typename ? pending.pageId === item.pageId : item.default;
  };
  const showFirst = async (item: Item): Promise<void> => {
    setPending(item);
    const done = await first.write({ id: site.id, input: item.__typename === 'SiteSection' ? { defaultSiteSection: item.pageId } : { defaultSiteSpace: item.pageId } });
    if (done === null) setPending(null);
  };
  useEffect(() => setPending(null), [read]);
  const act = (item: Item, action: string): void => {
    if (action in tree.steps) step(item.pageId, action as Step);
    else if (action === 'first') void showFirst(item);
    else ask({ what: action as 'rename' | 'take', item });
  };
  const onKey = (event: KeyboardEvent): void => {
    const row = event.target instanceof HTMLElement ? event.target.closest('[role=row]') : null;
    const item = row !== null && row === event.target ? itemOf(row.getAttribute('data-key') ?? '') : null;
    const way = KEYS[event.key];
    if (item === null || !mayEdit) return;
    const isTurned = document.documentElement.dir === 'rtl' && (way === 'in' || way === 'out');
    if (event.altKey && way !== undefined) step(item.pageId, isTurned ? (way === 'in' ? 'out' : 'in') : way);
    else if (event.key === 'F2' && item.__typename !== 'SiteSpace') ask({ what: 'rename', item });
    else if (event.key === 'Delete') ask({ what: 'take', item });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const mayBeFirst = (item: Item): boolean =>
    item.__typename !== 'SiteSectionGroup' && !isFirst(item) && (item.__typename === 'SiteSection' || placeOf(levels, item.pageId)?.parent === ROOT);
  const menuOf = (item: Item): ReactNode => (
    <MenuTrigger>
      <AriaButton className={treeCss.more ?? ''} aria-label={tree.actionsOf(item.title)}><Ellipsis size={15} aria-hidden /></AriaButton>
      <Popover className={ui.popover ?? ''}>
        <Menu className={ui.menu ?? ''} aria-label={tree.actionsOf(item.title)} onAction={(key) => act(item, String(key))}>
          {(Object.entries(a.structure.steps) as Array<[Step, string]>).map(([way, name]) => (
            <MenuItem key={way} id={way} className={ui.menuItem ?? ''}>{name}<kbd className={ui.kbd}>Alt {tree.arrows[way]}</kbd></MenuItem>
          ))}
          {item.__typename === 'SiteSpace' ? null : <MenuItem id="rename" className={ui.menuItem ?? ''}>{a.rename}<kbd className={ui.kbd}>F2</kbd></MenuItem>}
          {mayBeFirst(item) ? <MenuItem id="first" className={ui.menuItem ?? ''}>{a.structure.makeDefault}</MenuItem> : null}
          <MenuItem id="take" className={ui.menuItem ?? ''}>{a.structure.take}<kbd className={ui.kbd}>Del</kbd></MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
  const draw = ({ id, item, below }: Node) => (
    <TreeItem id={id} textValue={item.title} className={`${treeCss.treeItem} ${admin.structureItem}`} hasChildItems={below.length > 0}>
      <TreeItemContent>
        <span className={`${treeCss.treeRow} ${admin.structureRow}`}>
          {mayEdit ? <AriaButton slot="drag" className={treeCss.grip ?? ''}><GripVertical size={14} aria-hidden /></AriaButton> : null}
          <AriaButton slot="chevron" className={treeCss.chevron ?? ''} data-hidden={below.length === 0 || undefined}><ChevronRight size={14} aria-hidden /></AriaButton>
          <span className={admin.main}>
            <span>
              {item.__typename === 'SiteSpace' ? <Link href={toSpace(item.space.id)}><bdi>{item.title}</bdi></Link> : <strong><bdi>{item.title}</bdi></strong>}
              {isFirst(item) ? <> <Badge tone="accent">{a.sites.isDefault}</Badge></> : null}
            </span>
            <About item={item} />
          </span>
          {mayEdit ? menuOf(item) : null}
        </span>
      </TreeItemContent>
      <Collection items={below} dependencies={[levels, mayEdit, pending]}>{draw}</Collection>
    </TreeItem>
  );
  const nodes = useMemo(() => nodesOf(levels, ROOT), [levels]);
  const all = [...levels.keys()].filter((id) => id !== ROOT);
  const sections = [...levels.values()].flat().filter((id) => id.__typename === 'SiteSection');
  return (
    <div className={`${admin.form} ${admin.narrow}`}>
      <p className={ui.hint}>{a.structure.about}{mayEdit ? ` ${a.structure.keys}` : ''}</p>
      {mayEdit ? (
        <div className={admin.line}>
          <Button onPress={() => ask({ what: 'space' })}>{a.structure.addSpace}</Button>
          <Button onPress={() => ask({ what: 'section' })}>{a.structure.addSection}</Button>
          {sections.length > 0 ? <Button onPress={() => ask({ what: 'group' })}>{a.structure.addGroup}</Button> : null}
        </div>
      ) : null}
      <div role="status">
        {outcome?.cannot ? <Notice tone="neutral">{tree.cannotMove}</Notice> : null}
        {outcome?.isUndone ? <Notice tone="good">{tree.done.undo}</Notice> : null}
        {outcome?.moved !== undefined ? (
          <Notice tone="good">
            <span>{outcome.moved.map(({ title, place, of }) => `${tree.done.move(title)} ${tree.place(place, of)}`).join(' ')}</span>
            {outcome.back ? <span><Button onPress={() => outcome.back && undo(outcome.back)}>{tree.undo}</Button></span> : null}
          </Notice>
        ) : null}
      </div>
      <TakenBack error={outcome?.error} />
      <TakenBack error={first.error} />
      <div {...press} onKeyDownCapture={onKey}>
        <Tree
          aria-label={a.structure.name}
          className={admin.structure ?? ''}
          items={nodes}
          dependencies={[levels, mayEdit, pending]}
          expandedKeys={all.filter((id) => !closed.has(id))}
          onExpandedChange={(keys) => {
            const open = new Set([...keys].map(String));
            setClosed(new Set(all.filter((id) => !open.has(id))));
          }}
          // A tree is drawn without its rows first.
          renderEmptyState={() => (nodes.length === 0 ? <Empty>{a.structure.none}</Empty> : null)}
          {...(mayEdit ? { dragAndDropHooks } : {})}
        >
          {draw}
        </Tree>
      </div>
      {turn ? (
        <Ask key={turn.round} asked={turn.question} isOpen={isAsking} organization={organization.id} site={site.id} sections={sections} onClose={() => setAsking(false)} />
      ) : null}
    </div>
  );
}

export default function Structure({ organization, site }: PartOfSite) {
  const result = useRead(SITE_CONTENT, { id: site.id });
  return (
    <Reading result={result} pick={(data) => data.site}>
      {(content) => <Board organization={organization} site={site} content={content} />}
    </Reading>
  );
}
