/** Why somebody has a role: what speaks for one, the first of which decides. */

import { graphql } from '../../graph/generated/index.ts';
import type { ReasonFragment } from '../../graph/generated/graphql.ts';
import { useAdminTexts } from '../../texts/admin/index.ts';

export const REASON = graphql(`
  fragment Reason on RoleReason { kind role decides space { id title } team { id title } collection { id title } }
`);

/** One reason in words: what it is, of which team, and where it was given. */
export function useReasonInWords(): (reason: ReasonFragment) => string {
  const a = useAdminTexts();
  return ({ kind, team, collection, space }) =>
    [a.members.reasons[kind], team?.title, collection?.title ?? space?.title].filter(Boolean).join(': ');
}

/** All of them, with the role that each gives; those behind the first one do not count. */
export function Reasons({ reasons }: { reasons: readonly ReasonFragment[] }) {
  const a = useAdminTexts();
  const inWords = useReasonInWords();
  return (
    <ol style={{ margin: 0, paddingInlineStart: '1.4rem' }}>
      {reasons.map((reason, index) => {
        const text = <><bdi>{inWords(reason)}</bdi>: {reason.role ? a.roles[reason.role] : a.access.noAccess}</>;
        return <li key={index}>{reason.decides ? <strong>{text}</strong> : text}{reason.decides ? ` (${a.access.decides})` : ''}</li>;
      })}
    </ol>
  );
}
