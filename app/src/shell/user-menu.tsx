/** The menu of whoever is signed in: account, language, light and dark. */

import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { outside, toMine } from '../place.ts';
import { LANGUAGES, type LanguageCode, useLanguage } from '../texts/texts.tsx';
import { chooseTheme, THEMES, type Theme, useTheme } from '../theme.ts';
import { Face, Kbd, ui } from '../ui/ui.tsx';
import css from './shell.module.css';
import { useViewer } from './viewer.tsx';

export function UserMenu({ onKeys }: { onKeys: () => void }) {
  const viewer = useViewer();
  const { code, texts: t, choose } = useLanguage();
  const theme = useTheme();
  const item = ui.menuItem ?? '';
  return (
    <MenuTrigger>
      <Button className={css.who ?? ''}>
        <Face name={viewer.displayName} /><bdi>{viewer.displayName}</bdi>
      </Button>
      <Popover className={ui.popover ?? ''} placement="top start">
        <Menu className={ui.menu ?? ''} aria-label={t.yourAccount}>
          <MenuSection>
            <MenuItem className={item} onAction={() => window.location.assign(outside('/account'))}>{t.accountAndSignOut}</MenuItem>
            <MenuItem className={item} href={outside(toMine('notifications'))}>{t.notifications}</MenuItem>
            <MenuItem className={item} href={outside(toMine('tokens'))}>{t.tokens}</MenuItem>
            <MenuItem className={item} onAction={onKeys}>{t.keyboard}<Kbd>?</Kbd></MenuItem>
          </MenuSection>
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => chooseTheme([...keys][0] as Theme)}
          >
            <Header className={ui.menuHeader ?? ''}>{t.appearance}</Header>
            {THEMES.map((theme) => (
              <MenuItem key={theme} id={theme} className={item}>
                {({ isSelected }) => <>{t.themes[theme]}{isSelected ? <span aria-hidden="true">✓</span> : null}</>}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[code]}
            onSelectionChange={(keys) => choose([...keys][0] as LanguageCode)}
          >
            <Header className={ui.menuHeader ?? ''}>{t.language}</Header>
            {Object.entries(LANGUAGES).map(([language, name]) => (
              <MenuItem key={language} id={language} className={item} lang={language}>
                {({ isSelected }) => <>{name}{isSelected ? <span aria-hidden="true">✓</span> : null}</>}
              </MenuItem>
            ))}
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
