import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTexts } from '../../texts/texts.tsx';
import { Blocks } from '../blocks.tsx';
import css from '../document.module.css';
import type { Tabs as TabsNode } from '../model.ts';

export function TabsBlock({ node }: { node: TabsNode }) {
  const t = useTexts();
  return (
    <Tabs className={css.tabs ?? ''}>
      <TabList aria-label={t.tabs} className={css.tabList ?? ''}>
        {node.nodes.map((item, index) => (
          <Tab key={index} id={String(index)} className={css.tab ?? ''}>{item.data.title || String(index + 1)}</Tab>
        ))}
      </TabList>
      {node.nodes.map((item, index) => (
        <TabPanel key={index} id={String(index)} className={`${css.panel} ${css.body}`}><Blocks nodes={item.nodes} /></TabPanel>
      ))}
    </Tabs>
  );
}
