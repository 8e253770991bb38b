/** Blocks of a document, one after the other; each kind that has parts of its own is below `parts`. */

import { type ReactNode, useId, useMemo } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { withAlerts } from './alerts.ts';
import css from './document.module.css';
import { Inlines, inlinesOf, Picture } from './inlines.tsx';
import type { Data, Json } from './json.ts';
import { Formula } from './math.tsx';
import type { Block, ContentReference, ListItem } from './model.ts';
import { Code } from './parts/code.tsx';
import { EmbedTile, FileTile, ReferenceTile } from './parts/tiles.tsx';
import { IntegrationBlock, Operation, Schemas } from './parts/machines.tsx';
import { Reused } from './parts/reused.tsx';
import { TableBlock } from './parts/table.tsx';
import { TabsBlock } from './parts/tabs.tsx';
import { Unknown } from './parts/unknown.tsx';
import { UpdatesBlock } from './parts/updates.tsx';
import { type AnyNode, anchorOf } from './text.ts';

const Items = ({ items }: { items: readonly ListItem[] }) => (
  <>{items.map((item, index) => <li key={item.key ?? index}><Blocks nodes={item.nodes} /></li>)}</>
);

function Tasks({ items }: { items: readonly ListItem[] }) {
  const t = useTexts();
  const list = useId();
  return (
    <ul className={`${css.list} ${css.tasks}`}>
      {items.map((item, index) => (
        <li key={item.key ?? index}>
          <input type="checkbox" checked={item.data.checked === true} disabled id={`${list}-${index}`} aria-label={item.data.checked ? t.done : t.notDone} aria-labelledby={`${list}-${index} ${list}-${index}-text`} />
          <div id={`${list}-${index}-text`}><Blocks nodes={item.nodes} /></div>
        </li>
      ))}
    </ul>
  );
}

const pixels = (length: unknown): number | undefined =>
  typeof length === 'number' ? length : undefined;

function Figure({ reference, alt, width, caption, frame }: {
  reference: ContentReference; alt?: string | undefined; width?: unknown; caption: ReactNode; frame?: boolean | undefined;
}) {
  return (
    <figure className={css.figure} data-frame={frame || undefined}>
      <Picture reference={reference} alt={alt} width={pixels(width)} />
      {caption}
    </figure>
  );
}

function Caption({ fragments }: { fragments: ReadonlyArray<{ nodes: Block[] }> | undefined }) {
  const inlines = (fragments ?? []).flatMap((fragment) => inlinesOf(fragment.nodes));
  return inlines.length > 0 ? <figcaption className={css.caption}><Inlines nodes={inlines} /></figcaption> : null;
}

const body = (nodes: readonly Block[]) => <div className={css.body}><Blocks nodes={nodes} /></div>;

export function BlockNode({ node }: { node: Block }) {
  const t = useTexts();
  switch (node.type) {
    case 'paragraph':
      return <p dir="auto" style={node.data.align ? { textAlign: node.data.align } : undefined}><Inlines nodes={node.nodes} /></p>;
    case 'heading-1':
      return <h2 dir="auto" id={anchorOf(node as AnyNode)}><Inlines nodes={node.nodes} /></h2>;
    case 'heading-2':
      return <h3 dir="auto" id={anchorOf(node as AnyNode)}><Inlines nodes={node.nodes} /></h3>;
    case 'heading-3':
      return <h4 dir="auto" id={anchorOf(node as AnyNode)}><Inlines nodes={node.nodes} /></h4>;
    case 'list-ordered':
      return <ol className={css.list} dir="auto" start={node.data.start}><Items items={node.nodes} /></ol>;
    case 'list-unordered':
      return <ul className={css.list} dir="auto"><Items items={node.nodes} /></ul>;
    case 'list-tasks':
      return <Tasks items={node.nodes} />;
    case 'divider':
      return <hr className={css.rule} />;
    case 'blockquote':
      return <blockquote className={`${css.quote} ${css.body}`}><Blocks nodes={node.nodes} /></blockquote>;
    case 'hint':
      return (
        <div className={`${css.hint} ${css.body}`} data-style={node.data.style} role="note" aria-label={t.hints[node.data.style] ?? t.hints.info}>
          <Blocks nodes={node.nodes} />
        </div>
      );
    case 'code':
      return <Code node={node} />;
    case 'math':
      return <div className={css.math}><Formula source={node.data.formula} display /></div>;
    case 'images':
      return (
        <div className={css.gallery} data-align={node.data.align}>
          {node.nodes.map((image, index) => (
            <Figure
              key={image.key ?? index}
              reference={image.data.ref}
              alt={image.data.alt}
              width={image.data.width}
              frame={node.data.withFrame}
              caption={<Caption fragments={image.fragments} />}
            />
          ))}
        </div>
      );
    case 'drawing':
      return node.data.ref ? (
        <Figure reference={node.data.ref} alt={node.data.alt ?? t.drawing} width={node.data.width} caption={<Caption fragments={node.fragments} />} />
      ) : <Unknown node={node} />;
    case 'file':
      return <figure className={css.figure} style={{ justifyItems: 'stretch' }}><FileTile reference={node.data.ref} /><Caption fragments={node.fragments} /></figure>;
    case 'embed':
      return <figure className={css.figure} style={{ justifyItems: 'stretch' }}><EmbedTile url={node.data.url} /><Caption fragments={node.fragments} /></figure>;
    case 'expandable': {
      const title = node.fragments.filter((fragment) => fragment.type === 'expandable-title').flatMap((fragment) => inlinesOf(fragment.nodes));
      return (
        <details className={css.expandable} open={node.data.open}>
          <summary>{title.length > 0 ? <Inlines nodes={title} /> : t.details}</summary>
          {body(node.fragments.filter((fragment) => fragment.type === 'expandable-body').flatMap((fragment) => fragment.nodes))}
        </details>
      );
    }
    case 'tabs':
      return <TabsBlock node={node} />;
    case 'stepper':
      return (
        <ol className={css.stepper}>
          {node.nodes.map((step, index) => (
            <li key={step.key ?? index} className={css.step}>
              {step.data.title ? <p className={css.stepTitle} dir="auto">{step.data.title}</p> : null}
              {body(step.nodes)}
            </li>
          ))}
        </ol>
      );
    case 'columns':
      return <div className={css.columns}>{node.nodes.map((column, index) => <div key={column.key ?? index}>{body(column.nodes)}</div>)}</div>;
    case 'updates':
      return <UpdatesBlock node={node} />;
    case 'prompt':
      return (
        <details className={css.expandable} open>
          <summary>{node.data.description ?? t.prompt}</summary>
          {body(node.nodes)}
        </details>
      );
    case 'table':
      return <TableBlock node={node} />;
    case 'content-ref':
      return <ReferenceTile reference={node.data.ref} />;
    case 'reusable-content':
      return <Reused reference={node.data.ref} />;
    case 'integration':
      return <IntegrationBlock node={node} />;
    case 'swagger':
    case 'openapi-operation':
      return <Operation reference={node.data.ref} path={node.data.path} method={node.data.method} />;
    case 'openapi-webhook':
      return <Operation reference={node.data.ref} path={node.data.name} method={node.data.method} />;
    case 'openapi-schemas':
      return <Schemas reference={node.data.ref} schemas={node.data.schemas ?? []} />;
    case 'if':
      return (
        <div className={`${css.condition} ${css.body}`}>
          <p>{t.shownIf} <code>{node.data.expression}</code></p>
          <Blocks nodes={node.nodes} />
        </div>
      );
    default:
      return <Unknown node={node} />;
  }
}

export const Blocks = ({ nodes }: { nodes: readonly Block[] }) => (
  <>{nodes.map((node, index) => <BlockNode key={node.key ?? index} node={node} />)}</>
);

const PLAIN: Data = {};

interface DocumentProps {
  readonly nodes: readonly Block[];
  /** How its texts are written, where they do not say it themselves. */
  readonly style?: Data;
}

/** Blocks at the top of a document, or some of them: there are alerts among them. */
export function DocumentBlocks({ nodes, style = PLAIN }: DocumentProps) {
  const shown = useMemo(() => withAlerts(nodes as readonly unknown[] as readonly Json[], style) as readonly unknown[] as readonly Block[], [nodes, style]);
  return <Blocks nodes={shown} />;
}

export const DocumentBody = (props: DocumentProps) => (
  <div className={css.document}><DocumentBlocks {...props} /></div>
);
