/** How a site looks: the settings that most people change; all others are sent back as they were. */

import { useState } from 'react';
import { graphql } from '../../graph/generated/index.ts';
import type {
  CustomizationAnnouncementStyle, CustomizationCorners, CustomizationTheme, CustomizationThemeMode, SiteCustomizationSettingsInput, SiteLookQuery,
} from '../../graph/generated/graphql.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { useTexts } from '../../texts/texts.tsx';
import { FailureNotice } from '../../ui/failure.tsx';
import { Button, looks, Notice, ui } from '../../ui/ui.tsx';
import { admin, Choice, Said, Text, Tick } from '../kit.tsx';
import { asInput } from './look-input.ts';
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
  query SiteLook($id: ID!) { site(id: $id) { id preview { url } customization { ...WholeLook } } }
`);
const REPLACE = graphql(`
  mutation ReplaceLook($site: ID!, $input: SiteCustomizationSettingsInput!) { replaceSiteCustomization(siteId: $site, input: $input) { title } }
`);

type Whole = NonNullable<SiteLookQuery['site']>['customization'];
const choices = <One extends string>(names: Readonly<Record<string, string>>): Array<[One, string]> => Object.entries(names) as Array<[One, string]>;

/** Colours of the browser's control are six digits. */
const six = (color: string): string => {
  const digits = color.replace('#', '');
  return `#${(digits.length === 3 ? [...digits].map((one) => one + one).join('') : digits.slice(0, 6)).toLowerCase()}`;
};

function Form({ site, whole, preview }: { site: string; whole: Whole; preview: string | null }) {
  const a = useAdminTexts();
  const t = useTexts();
  const [look, setLook] = useState(() => asInput(whole) as SiteCustomizationSettingsInput);
  const [isSaved, setSaved] = useState(false);
  const { write, busy, error } = useWrite(REPLACE);
  const change = (next: SiteCustomizationSettingsInput): void => {
    setSaved(false);
    setLook({ ...look, ...next });
  };
  const style = (next: Partial<NonNullable<typeof look.styling>>): void => change({ styling: { ...look.styling, ...next } });
  const color = look.styling?.primaryColor ?? { light: '#346ddb', dark: '#346ddb' };
  const announcement = look.announcement ?? { enabled: false, message: '', style: 'INFO' as const };
  return (
    <form
      className={`${admin.form} ${admin.narrow}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void write({ site, input: look }).then((done) => setSaved(done !== null));
      }}
    >
      <Text label={a.look.title} value={look.title ?? ''} onChange={(title) => change({ title: title || null })} />
      <div className={admin.toolbar}>
        <Choice label={a.look.theme} value={look.styling?.theme ?? 'CLEAN'} options={choices<CustomizationTheme>(a.look.themes)} onChange={(theme) => style({ theme })} />
        <Choice label={a.look.corners} value={look.styling?.corners ?? 'ROUNDED'} options={choices<CustomizationCorners>(a.look.cornerKinds)} onChange={(corners) => style({ corners })} />
        <Choice label={a.look.mode} value={look.themes?.default ?? 'LIGHT'} options={choices<CustomizationThemeMode>(a.look.modes)} onChange={(mode) => change({ themes: { ...look.themes, default: mode } })} />
      </div>
      <div className={admin.toolbar}>
        {(['light', 'dark'] as const).map((side) => (
          <label key={side} className={ui.field}>
            <span className={ui.label}>{a.look[side]}</span>
            <input type="color" className={admin.swatch} value={six(color[side])} onChange={(event) => style({ primaryColor: { ...color, [side]: event.target.value } })} />
          </label>
        ))}
      </div>
      <Tick label={a.look.toggle} checked={look.themes?.toggeable ?? true} onChange={(toggeable) => change({ themes: { ...look.themes, toggeable } })} />
      <Tick label={a.look.announcement} checked={announcement.enabled} onChange={(enabled) => change({ announcement: { ...announcement, enabled } })} />
      {announcement.enabled ? (
        <>
          <Text label={a.look.message} value={announcement.message} onChange={(message) => change({ announcement: { ...announcement, message } })} required />
          <Choice label={a.look.style} value={announcement.style} options={choices<CustomizationAnnouncementStyle>(a.look.styles)} onChange={(tone) => change({ announcement: { ...announcement, style: tone } })} />
        </>
      ) : null}
      <Text label={a.look.copyright} value={look.footer?.copyright ?? ''} onChange={(copyright) => change({ footer: { ...look.footer, copyright: copyright || null } })} />
      <Tick label={a.look.feedback} checked={look.feedback?.enabled ?? false} onChange={(enabled) => change({ feedback: { enabled } })} />
      <Tick label={a.look.pdf} checked={look.pdf?.enabled ?? false} onChange={(enabled) => change({ pdf: { enabled } })} />
      <FailureNotice error={error} />
      {isSaved ? <Said>{a.look.saved}</Said> : null}
      <div className={admin.line}>
        <Button look="primary" type="submit" isDisabled={busy}>{t.save}</Button>
        {preview ? <a className={looks('normal')} href={preview} target="_blank" rel="noreferrer">{a.look.see}</a> : null}
      </div>
      <p className={ui.hint}>{a.look.seeAbout}</p>
    </form>
  );
}

export default function Look({ site }: PartOfSite) {
  const a = useAdminTexts();
  const result = useRead(LOOK, { id: site.id });
  return (
    <Reading result={result} pick={(data) => data.site}>
      {({ customization, preview }) => (
        <div className={admin.form}>
          <p className={ui.hint}>{a.look.about}</p>
          {site.permissions.edit ? <Form site={site.id} whole={customization} preview={site.urls.published ?? preview?.url ?? null} /> : <Notice tone="neutral">{a.sites.readOnly}</Notice>}
        </div>
      )}
    </Reading>
  );
}
