import { useLanguage } from '../../texts/texts.tsx';
import { Badge } from '../../ui/ui.tsx';
import { Blocks } from '../blocks.tsx';
import css from '../document.module.css';
import type { Updates } from '../model.ts';

export function UpdatesBlock({ node }: { node: Updates }) {
  const { code } = useLanguage();
  const written = (date: string): string => {
    const time = Date.parse(date);
    return Number.isNaN(time) ? date : new Intl.DateTimeFormat(code, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
  };
  return (
    <div className={css.updates}>
      {node.nodes.map((update, index) => (
        <section key={update.key ?? index} className={css.update}>
          <div className={css.updateHead}>
            {update.data.date ? <time dateTime={update.data.date}>{written(update.data.date)}</time> : null}
            {(update.data.tags ?? []).map((tag) => <Badge key={tag}>{tag}</Badge>)}
          </div>
          <div className={css.body}><Blocks nodes={update.nodes} /></div>
        </section>
      ))}
    </div>
  );
}
