/** How a site looks: the settings that most people change; all others are sent back as they were. */

import { useMemo, useRef, useState } from 'react';
import { useClient } from 'urql';
import { graphql } from '../../graph/generated/index.ts';
import type {
  CustomizationAnnouncementStyle, CustomizationCorners, CustomizationDefaultFont, CustomizationTheme, CustomizationThemeMode, SiteCustomizationSettingsInput, SiteLookQuery,
} from '../../graph/generated/graphql.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useStill } from '../../graph/staying.ts';
import { useWrite } from '../../graph/write.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { Button, Notice, ui } from '../../ui/ui.tsx';
import { admin, Choice, Said, Text, Tick } from '../kit.tsx';
import { asInput, behindLook, changed } from './look-input.ts';
import { LookPreview } from './look-preview.tsx';
import type { PartOfSite } from './site.tsx';

export const WHOLE_LOOK = graphql(`
  fragment WholeLook on SiteCustomization {
    title
    styling {
      theme primaryColor { light dark } tint { color { light dark } } infoColor { light dark } successColor { light dark }
      warningColor { light dark } dangerColor { light dark } corners depth links
      font { name definition { fontId custom fontFamily fontFaces { weight sources { url format } } } }
      monospaceFont { name definition { fontId custom fontFamily fontFaces { weight sources { url format } } } }
      background codeTheme { default { light dark } openapi { light dark } } icons sidebar { background list } search
    }
    internationalization { locale }
    favicon { icon { light dark } emoji }
    header {
      preset logo { light dark } backgroundColor { light dark } linkColor { light dark }
      links { title style to links { title to } condition }
    }
    footer { logo { light dark } groups { title links { title to } } copyright }
    announcement { enabled message link { title to } style }
    themes { default toggeable }
    pdf { enabled }
    feedback { enabled }
    ai { mode }
    advancedCustomization { enabled }
    git { showEditLink }
    pageActions { externalAI markdown mcp items }
    externalLinks { target }
    pagination { enabled }
    trademark { enabled }
    privacyPolicy { url }
    socialPreview { url }
    socialAccounts { platform handle display { footer header } }
    insights { trackingCookie }
  }
`);
const LOOK = graphql(`
  query SiteLook($id: ID!) { site(id: $id) { id customization { ...WholeLook } } }
`);
const REPLACE = graphql(`
  mutation ReplaceLook($site: ID!, $input: SiteCustomizationSettingsInput!) { replaceSiteCustomization(siteId: $site, input: $input) { title } }
`);

type Whole = NonNullable<SiteLookQuery['site']>['customization'];
const choices = <One extends string>(names: Readonly<Record<string, string>>): Array<[One, string]> => Object.entries(names) as Array<[One, string]>;

/** Colours of the browser's control are six digits. */
const six = (color: string): string => {
  const digits = color.replace('#', '');
  return `#${(digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits.slice(0, 6)).toLowerCase()}`;
};

/** Fonts that a site can name; what is not on the computer of a reader is a like one there. */
const FONTS: ReadonlyArray<readonly [CustomizationDefaultFont, string]> = [
  ['INTER', 'Inter'], ['ABC_FAVORIT', 'ABC Favorit'], ['FIRA_SANS', 'Fira Sans'], ['IBM_PLEX_SERIF', 'IBM Plex Serif'], ['LATO', 'Lato'],
  ['MERRIWEATHER', 'Merriweather'], ['NOTO_SANS', 'Noto Sans'], ['OPEN_SANS', 'Open Sans'], ['OVERPASS', 'Overpass'], ['POPPINS', 'Poppins'],
  ['RALEWAY', 'Raleway'], ['ROBOTO', 'Roboto'], ['ROBOTO_SLAB', 'Roboto Slab'], ['SOURCE_SANS_PRO', 'Source Sans Pro'], ['UBUNTU', 'Ubuntu'],
];

function Form({ site, whole, isPublished }: { site: string; whole: Whole; isPublished: boolean }) {
  const a = useAdminTexts();
  const t = useTexts();
  // What was changed is kept until it is saved, also over a reload; all else is as others save it meanwhile.
  const [stored, keep] = useDraft(`look ${site}`);
  const changes = useMemo(() => (stored ? JSON.parse(stored) : {}) as SiteCustomizationSettingsInput, [stored]);
  const look = useMemo(() => changed(asInput(whole) as SiteCustomizationSettingsInput, changes), [whole, changes]);
  const newest = useRef(stored);
  newest.current = stored;
  const [isSaved, setSaved] = useState(false);
  const { write, busy, error } = useWrite(REPLACE, false);
  const client = useClient();
  const change = (next: SiteCustomizationSettingsInput): void => {
    setSaved(false);
    keep(JSON.stringify({ ...changes, ...next }));
  };
  const style = (next: Partial<NonNullable<typeof look.styling>>): void => change({ styling: { ...changes.styling, ...next } as typeof look.styling });
  const color = look.styling?.primaryColor ?? { light: '#346ddb', dark: '#346ddb' };
  const announcement = look.announcement ?? { enabled: false, message: '', style: 'INFO' as const };
  const own = whole.styling.font.definition;
  const font = look.styling?.font?.name ?? (own ? 'OWN' : 'INTER');
  const setFont = (name: CustomizationDefaultFont | 'OWN'): void =>
    style({ font: name === 'OWN' ? (asInput(whole.styling.font) as NonNullable<typeof look.styling>['font']) : { name } });
  return (
    <div className={admin.looks}>
    <form
      className={admin.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void write({ site, input: look }).then(async (done) => {
          if (done === null) return;
          // What was sent stays in the form until it is read.
          await client.query(LOOK, { id: site }, { requestPolicy: 'network-only' }).toPromise();
          // What was changed meanwhile is not saved yet.
          const left = behindLook(newest.current, changes);
          keep(left);
          setSaved(left === '');
        });
      }}
    >
      <Text label={a.look.title} value={look.title ?? ''} onChange={(title) => change({ title: title || null })} />
      <div className={admin.toolbar}>
        <Choice label={a.look.theme} value={look.styling?.theme ?? 'CLEAN'} options={choices<CustomizationTheme>(a.look.themes)} onChange={(theme) => style({ theme })} />
        <Choice label={a.look.corners} value={look.styling?.corners ?? 'ROUNDED'} options={choices<CustomizationCorners>(a.look.cornerKinds)} onChange={(corners) => style({ corners })} />
        <Choice label={a.look.font} value={font} options={own ? [['OWN', own.fontFamily] as const, ...FONTS] : FONTS} onChange={setFont} />
        <Choice label={a.look.mode} value={look.themes?.default ?? 'LIGHT'} options={choices<CustomizationThemeMode>(a.look.modes)} onChange={(mode) => change({ themes: { ...changes.themes, default: mode } })} />
      </div>
      <div className={admin.toolbar}>
        {(['light', 'dark'] as const).map((side) => (
          <label key={side} className={ui.field}>
            <span className={ui.label}>{a.look[side]}</span>
            <input type="color" className={admin.swatch} value={six(color[side])} onChange={(event) => style({ primaryColor: { ...color, [side]: event.target.value } })} />
          </label>
        ))}
      </div>
      <Tick label={a.look.toggle} checked={look.themes?.toggeable ?? true} onChange={(toggeable) => change({ themes: { ...changes.themes, toggeable } })} />
      <Tick label={a.look.announcement} checked={announcement.enabled} onChange={(enabled) => change({ announcement: { ...announcement, enabled } })} />
      {announcement.enabled ? (
        <>
          <Text label={a.look.message} value={announcement.message} onChange={(message) => change({ announcement: { ...announcement, message } })} required />
          <Choice label={a.look.style} value={announcement.style} options={choices<CustomizationAnnouncementStyle>(a.look.styles)} onChange={(tone) => change({ announcement: { ...announcement, style: tone } })} />
        </>
      ) : null}
      <Text label={a.look.copyright} value={look.footer?.copyright ?? ''} onChange={(copyright) => change({ footer: { ...changes.footer, copyright: copyright || null } })} />
      <Tick label={a.look.feedback} checked={look.feedback?.enabled ?? false} onChange={(enabled) => change({ feedback: { enabled } })} />
      <Tick label={a.look.pdf} checked={look.pdf?.enabled ?? false} onChange={(enabled) => change({ pdf: { enabled } })} />
      <FailureNotice error={error} />
      {isSaved ? <Said>{a.look.saved}</Said> : null}
      <div className={admin.line}>
        <Button look="primary" type="submit" isDisabled={busy}>{t.save}</Button>
        {stored && !busy ? <Button onPress={() => keep('')}>{a.look.discard}</Button> : null}
      </div>
    </form>
    {isPublished ? <LookPreview site={site} look={look} /> : <Notice tone="neutral">{a.look.notPublished}</Notice>}
    </div>
  );
}

export default function Look({ site }: PartOfSite) {
  const a = useAdminTexts();
  const result = useRead(LOOK, { id: site.id });
  const mayEdit = useStill(site.permissions.edit);
  return (
    <Reading result={result} pick={(data) => data.site}>
      {({ customization }) => (
        <div className={admin.form}>
          <p className={ui.hint}>{a.look.about}</p>
          {mayEdit ? <Form site={site.id} whole={customization} isPublished={site.published} /> : <Notice tone="neutral">{a.sites.readOnly}</Notice>}
        </div>
      )}
    </Reading>
  );
}
