/** The host name of a site, the DNS records that it needs, and how it is. */

import { graphql } from '../../graph/generated/index.ts';
import { Reading, useRead } from '../../graph/reading.tsx';
import { useWrite } from '../../graph/write.ts';
import { useDraft } from '../../review/drafts.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';
import { FailureNotice } from '../../ui/failure.tsx';
import { Button, Notice, ui } from '../../ui/ui.tsx';
import { admin, Careful, CopyButton, Text } from '../kit.tsx';
import type { PartOfSite } from './site.tsx';

export const HOST_STATE = graphql(`
  fragment HostState on CustomHostname { hostname isActive status dnsRecords { type name value } }
`);
const DOMAIN = graphql(`
  query SiteDomain($id: ID!) { site(id: $id) { id customHostname { ...HostState } } }
`);
const SET = graphql(`
  mutation SetDomain($hostname: String!, $input: SetCustomHostnameInput!) { setCustomHostname(hostname: $hostname, input: $input) { ...HostState } }
`);
const CHECK = graphql(`
  mutation CheckDomain($hostname: String!) { recheckCustomHostname(hostname: $hostname) { ...HostState } }
`);
const GIVE_UP = graphql(`
  mutation GiveUpDomain($hostname: String!) { deleteCustomHostname(hostname: $hostname) { hostname } }
`);

export default function Domain({ site }: PartOfSite) {
  const a = useAdminTexts();
  const result = useRead(DOMAIN, { id: site.id });
  const [name, setName, forget] = useDraft(`domain ${site.id}`);
  const setting = useWrite(SET);
  const checking = useWrite(CHECK);
  const leaving = useWrite(GIVE_UP);
  return (
    <Reading result={result} pick={(data) => data.site}>
      {({ customHostname: host }) => {
        const hostname = name.trim().toLowerCase();
        return (
          <div className={`${admin.form} ${admin.narrow}`}>
            <p className={ui.hint}>{a.domain.about}</p>
            {host ? (
              <Notice tone={host.isActive ? 'good' : 'warn'} role="status"><strong><bdi>{host.hostname}</bdi></strong><span>{a.domain.states[host.status]}</span></Notice>
            ) : <p>{a.domain.none}</p>}
            {!site.permissions.manageHostname ? <p className={ui.hint}>{a.domain.adminsOnly}</p> : host ? (
              <div className={admin.line}>
                <Button isDisabled={checking.busy} onPress={() => void checking.write({ hostname: host.hostname })}>{a.domain.check}</Button>
                <Careful
                  label={a.domain.giveUp} title={a.domain.giveUpTitle(host.hostname)} about={a.domain.giveUpAbout} action={a.domain.giveUp}
                  onDo={() => leaving.write({ hostname: host.hostname })} busy={leaving.busy} error={leaving.error}
                />
              </div>
            ) : (
              <form
                className={admin.form}
                onSubmit={(event) => {
                  event.preventDefault();
                  void setting.write({ hostname, input: { target: { type: 'site', site: site.id } } }).then((done) => done && forget(name));
                }}
              >
                <Text label={a.domain.name} hint={a.domain.nameHint} value={name} onChange={setName} required />
                <div><Button look="primary" type="submit" isDisabled={setting.busy}>{a.domain.set}</Button></div>
              </form>
            )}
            <FailureNotice error={setting.error ?? checking.error} />
            {host && !host.isActive ? (
              <section className={admin.form} aria-label={a.domain.records}>
                <h2 style={{ fontSize: '1.05rem' }}>{a.domain.records}</h2>
                <p className={ui.hint}>{a.domain.recordsAbout}</p>
                <div className={admin.scroll} tabIndex={0} role="region" aria-label={a.domain.records}>
                  <table className={admin.table}>
                    <thead><tr><th scope="col">{a.domain.kind}</th><th scope="col">{a.domain.host}</th><th scope="col">{a.domain.value}</th></tr></thead>
                    <tbody>
                      {host.dnsRecords.map((dnsRecord) => (
                        <tr key={`${dnsRecord.type} ${dnsRecord.name}`}>
                          <td>{dnsRecord.type}</td>
                          <td><code>{dnsRecord.name}</code></td>
                          <td><code>{dnsRecord.value}</code> <CopyButton text={dnsRecord.value} what={a.domain.value} /></td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              </section>
            ) : null}
          </div>
        );
      }}
    </Reading>
  );
}
