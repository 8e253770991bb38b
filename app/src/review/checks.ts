/** Merge rules as they stand for a change request, as far as a view can tell; the server decides. */

export type CheckState = 'met' | 'unmet' | 'unknown';

export interface Rule {
  readonly rule: string;
  readonly userIds: readonly string[];
  readonly expression: string | null;
}

export interface Facts {
  readonly outdated: boolean;
  readonly subject: string;
  readonly hasDescription: boolean;
  readonly waiting: number;
  readonly reviews: ReadonlyArray<{ readonly status: 'APPROVED' | 'CHANGES_REQUESTED'; readonly outdated: boolean; readonly reviewer: { readonly id: string } }>;
  readonly viewer: string;
  /** Whether there are reviews, or people who were asked, that are not read: what depends on these is not known. */
  readonly isPartial?: boolean;
}

const state = (met: boolean): CheckState => (met ? 'met' : 'unmet');

const OF_REVIEWS = /^require_(?:at_least_one_review|all_reviews_approved|specific_reviewers|one_of_specific_reviewers)$/u;

export function checkOf(rule: Rule, facts: Facts): CheckState {
  const whole = stateOf(rule, facts);
  // One that is not read may be what is missing, or what all the others wait for.
  const certain = rule.rule === 'require_all_reviews_approved' ? 'unmet' : 'met';
  return facts.isPartial && OF_REVIEWS.test(rule.rule) && whole !== certain ? 'unknown' : whole;
}

function stateOf(rule: Rule, facts: Facts): CheckState {
  const current = facts.reviews.filter((review) => !review.outdated);
  const approved = new Set(current.filter((review) => review.status === 'APPROVED').map((review) => review.reviewer.id));
  switch (rule.rule) {
    case 'require_at_least_one_review':
      return state(approved.size > 0);
    case 'require_all_reviews_approved':
      return state(facts.waiting === 0 && current.every((review) => review.status === 'APPROVED'));
    case 'require_specific_reviewers':
      return state(rule.userIds.every((id) => approved.has(id)));
    case 'require_one_of_specific_reviewers':
      return state(rule.userIds.some((id) => approved.has(id)));
    case 'require_up_to_date_change_request':
      return state(!facts.outdated);
    case 'require_change_request_subject':
      return state(facts.subject.trim() !== '');
    case 'require_change_request_description':
      return state(facts.hasDescription);
    default:
      return 'unknown';
  }
}

/** Whether the viewer may pass by all other rules. */
export const mayBypass = (rules: readonly Rule[], viewer: string): boolean =>
  rules.some((rule) => rule.rule === 'allow_bypass' && rule.userIds.includes(viewer));
