/** What is offered behind `/`: in groups, those used last first; by words, also those that other editors and languages use. */

import type { InsertionId } from './insertions.ts';

export const GROUPS = {
  text: ['paragraph', 'heading1', 'heading2', 'heading3', 'bullets', 'numbers', 'tasks', 'quote', 'divider'],
  media: ['hint', 'code', 'table', 'image', 'drawing', 'file', 'embed', 'math'],
  structure: ['expandable', 'tabs', 'stepper', 'columns', 'updates', 'prompt', 'condition'],
  references: ['pageLink', 'reusable', 'apiOperation', 'apiWebhook', 'apiSchemas'],
} as const satisfies Record<string, readonly InsertionId[]>;

export type Group = keyof typeof GROUPS;
type Labels = Readonly<Record<InsertionId, string>>;

/** Other words for each, in English and German: what is looked for is called so somewhere. */
const SYNONYMS: Readonly<Record<InsertionId, string>> = {
  paragraph: 'paragraph,plain,body,absatz,fließtext',
  heading1: 'title,h1,header,titel,kapitel,heading 1,überschrift 1',
  heading2: 'subtitle,h2,header,section,untertitel,abschnitt,heading 2,überschrift 2',
  heading3: 'h3,header,subsection,unterabschnitt,heading 3,überschrift 3',
  bullets: 'bullet list,unordered,ul,points,aufzählung,punkte,stichpunkte',
  numbers: 'ordered list,ol,numbers,nummeriert,nummern',
  tasks: 'to-do,todo,checkbox,checklist,aufgaben,checkliste,erledigen,abhaken',
  quote: 'quote,blockquote,citation,zitat,zitieren',
  hint: 'callout,admonition,note,info,tip,warning,danger,alert,attention,box,hinweis,anmerkung,tipp,warnung,achtung,kasten',
  code: 'code block,snippet,source,syntax,program,pre,quelltext,quellcode,programm',
  table: 'table,grid,rows,spreadsheet,cells,tabelle,raster,zellen',
  image: 'picture,photo,screenshot,figure,img,gif,bild,foto,bildschirmfoto,abbildung,grafik',
  drawing: 'drawing,diagram,sketch,chart,svg,zeichnung,diagramm,skizze',
  file: 'attachment,download,upload,pdf,document,anhang,anlage,datei,hochladen,herunterladen',
  embed: 'video,iframe,youtube,vimeo,player,widget,external,einbetten,extern',
  math: 'equation,latex,tex,katex,formula,mathematics,gleichung,formel,mathematik',
  divider: 'horizontal rule,line,separator,hr,break,linie,trenner,trennlinie',
  expandable: 'accordion,details,toggle,collapse,collapsible,spoiler,faq,akkordeon,aufklappen,einklappen,ausklappen',
  tabs: 'tab,panes,switch,alternatives,registerkarten,karteireiter,alternativen',
  stepper: 'steps,guide,tutorial,procedure,how-to,walkthrough,schritte,anleitung,vorgehen',
  columns: 'columns,layout,side by side,grid,spalten,nebeneinander,zweispaltig',
  updates: 'changelog,release notes,news,timeline,versions,änderungen,neuigkeiten,versionen,chronik',
  prompt: 'prompt,assistant,ai,llm,chat,assistent,ki,eingabeaufforderung',
  condition: 'if,conditional,variable,audience,visibility,adaptive,bedingung,falls,wenn,zielgruppe,sichtbarkeit',
  pageLink: 'page,reference,card,mention,internal link,link to page,seite,verweis,querverweis,verlinken',
  reusable: 'snippet,include,transclusion,synced block,shared,partial,baustein,textbaustein,einfügen,geteilt',
  apiOperation: 'openapi,swagger,endpoint,rest,request,method,endpunkt,anfrage,schnittstelle',
  apiWebhook: 'openapi,swagger,callback,event,rückruf,ereignis,schnittstelle',
  apiSchemas: 'openapi,swagger,models,types,json schema,modelle,typen,schnittstelle',
};

/** Without accents, capitals and forms of letters. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').trim();
const wordsOf = (text: string): string[] => plain(text).split(/[\s,-]+/u);

/** How well it fits, the better the smaller; null where it does not. */
function rankOf(id: InsertionId, query: string, labels: Labels): number | null {
  const label = plain(labels[id]);
  const others = plain(`${SYNONYMS[id]},${id}`).split(',');
  const words = [...wordsOf(label), ...others.flatMap(wordsOf)];
  const ways = [
    label === query,
    label.startsWith(query),
    wordsOf(label).some((word) => word.startsWith(query)),
    others.includes(query),
    others.some((other) => other.startsWith(query)),
    query.split(/[\s-]+/u).every((part) => words.some((word) => word.startsWith(part))),
    label.includes(query),
  ];
  const rank = ways.indexOf(true);
  return rank === -1 ? null : rank;
}

const ALL: readonly InsertionId[] = Object.values(GROUPS).flat();

/** What is offered, in its order; without words those used last come first. */
export function offered(words: string, labels: Labels, recent: readonly InsertionId[]): readonly InsertionId[] {
  const query = plain(words);
  if (query === '') return [...recent, ...ALL.filter((id) => !recent.includes(id))];
  const ranked = ALL.flatMap((id) => {
    const rank = rankOf(id, query, labels);
    return rank === null ? [] : [{ id, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ id }) => id);
}

export interface Section {
  /** Null for what words have brought, in the order in which it fits. */
  readonly group: Group | 'recent' | null;
  readonly ids: readonly InsertionId[];
}

/** What is offered, as it is drawn: the same order, with headings where nothing was typed. */
export function sectionsOf(ids: readonly InsertionId[], words: string, recent: readonly InsertionId[]): readonly Section[] {
  if (plain(words) !== '') return [{ group: null, ids }];
  const groups = (Object.keys(GROUPS) as Group[]).map((group) => ({ group, ids: ids.filter((id) => !recent.includes(id) && (GROUPS[group] as readonly InsertionId[]).includes(id)) }));
  return [{ group: 'recent' as const, ids: recent }, ...groups].filter((section) => section.ids.length > 0);
}

const PREFIX = 'docstead-inserted ';
const MOST_RECENT = 4;

/** What somebody has inserted last in this browser. */
export function recentOf(viewer: string): readonly InsertionId[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + viewer) ?? '[]');
    return Array.isArray(stored) ? ALL.filter((id) => stored.includes(id)).sort((a, b) => stored.indexOf(a) - stored.indexOf(b)).slice(0, MOST_RECENT) : [];
  } catch {
    return [];
  }
}

export function noteUse(viewer: string, id: InsertionId): void {
  try {
    localStorage.setItem(PREFIX + viewer, JSON.stringify([id, ...recentOf(viewer).filter((other) => other !== id)].slice(0, MOST_RECENT)));
  } catch {
    // A browser that keeps nothing offers all in their order.
  }
}
