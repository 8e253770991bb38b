"""Whether a change request may be merged: the rules of its space (docs/change-requests.md).

A rule is a function from a MergeAttempt to what is wrong, None when it is met. All are asked, so
that a refusal names everything that is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.documents.plain_text import plain_text
from content.errors import ExpressionError
from content.expressions.evaluation import evaluate
from content.expressions.parser import parse
from content.expressions.references import references
from content.expressions.values import truthy
from db.content_enums import ReviewStatus
from db.models.change_requests import ChangeRequest
from db.models.organizations import Organization
from db.models.reviews import RequestedReviewer, Review
from db.models.spaces import Space
from resolvers.change_requests.operations import is_outdated
from resolvers.core.context import Context
from resolvers.core.errors import FieldError, PreconditionFailed
from resolvers.merging.facts import merge_facts
from resolvers.organizations.merge_rules import AGENTS, CUSTOM

Rule = Mapping[str, Any]
BYPASS = "allow_bypass"


@dataclass(frozen=True, slots=True)
class MergeAttempt:
    """The facts that rules look at: what is merged, and the reviews that are not outdated."""

    space: Space
    request: ChangeRequest
    outdated: bool
    reviews: Sequence[Review]
    requested: Sequence[RequestedReviewer]

    @property
    def approvers(self) -> set[str]:
        """Ids of the people who approved the present content of the change request."""
        approving = (review for review in self.reviews if review.status is ReviewStatus.APPROVED)
        return {review.reviewer_id for review in approving}


@dataclass(frozen=True, slots=True)
class MergeProblem:
    """A rule that is not met: its place in the list, its name and what is missing."""

    index: int
    rule: str
    message: str


async def check_merge_rules(ctx: Context, space: Space, request: ChangeRequest) -> None:
    """PreconditionFailed that names every rule which the change request does not meet."""
    problems = await merge_problems(ctx, space, request)
    if problems:
        summary = "; ".join(f"{problem.rule}: {problem.message}" for problem in problems)
        fields = (
            FieldError(f"mergeRules.rules[{problem.index}]", problem.message)
            for problem in problems
        )
        raise PreconditionFailed(f"the merge rules are not met: {summary}", tuple(fields))


async def merge_problems(ctx: Context, space: Space, request: ChangeRequest) -> list[MergeProblem]:
    """The rules that keep the caller from merging a change request, in order."""
    rules = await effective_rules(ctx, space)
    if not rules or any(_bypasses(rule, ctx.actor.user_id) for rule in rules):
        return []
    attempt = await _attempt(ctx, space, request)
    problems = []
    for index, rule in enumerate(rules):
        name = rule["rule"]
        if name == CUSTOM:
            message = await _custom(ctx, attempt, rule)
        else:
            message = CHECKS[name](attempt, rule)
        if message is not None:
            problems.append(MergeProblem(index, name, message))
    return problems


async def effective_rules(ctx: Context, space: Space) -> list[Rule]:
    """The rules of a space: its own, or those of its organization."""
    rules: Mapping[str, Any] = space.merge_rules
    if rules["type"] == "inherit":
        statement = select(Organization.merge_rules).where(Organization.id == space.organization_id)
        rules = (await ctx.session.execute(statement)).scalar_one()
    return list(rules["rules"]) if rules["type"] == "rules" else []


def _bypasses(rule: Rule, actor_id: str | None) -> bool:
    return rule["rule"] == BYPASS and actor_id in rule["users"]


async def _attempt(ctx: Context, space: Space, request: ChangeRequest) -> MergeAttempt:
    reviews = select(Review).where(
        Review.change_request_id == request.id,
        Review.superseded.is_(False),
        Review.revision_id == request.revision_id,
    )
    requested = select(RequestedReviewer).where(RequestedReviewer.change_request_id == request.id)
    return MergeAttempt(
        space=space,
        request=request,
        outdated=await is_outdated(ctx, request),
        reviews=(await ctx.session.execute(reviews.order_by(Review.id))).scalars().all(),
        requested=(await ctx.session.execute(requested)).scalars().all(),
    )


# ------------------------------------------------------------------ rules

Check = Callable[[MergeAttempt, Rule], str | None]


def _one_review(attempt: MergeAttempt, rule: Rule) -> str | None:
    return None if attempt.approvers else "nobody has approved it as it is now"


def _all_reviews(attempt: MergeAttempt, rule: Rule) -> str | None:
    if any(review.status is ReviewStatus.CHANGES_REQUESTED for review in attempt.reviews):
        return "a reviewer has requested changes"
    missing = len({request.user_id for request in attempt.requested})
    if missing:
        return f"{missing} of those who were asked for a review have not approved it"
    return None


def _specific_reviewers(attempt: MergeAttempt, rule: Rule) -> str | None:
    missing = [user for user in rule["users"] if user not in attempt.approvers]
    return f"not approved by {', '.join(missing)}" if missing else None


def _one_of_specific_reviewers(attempt: MergeAttempt, rule: Rule) -> str | None:
    if attempt.approvers.intersection(rule["users"]):
        return None
    return f"approved by none of {', '.join(rule['users'])}"


def _agent_review(attempt: MergeAttempt, rule: Rule) -> str | None:
    approving = attempt.approvers.intersection(AGENTS)
    return None if approving else "the automated reviewer has not approved it"


def _up_to_date(attempt: MergeAttempt, rule: Rule) -> str | None:
    return "the space has changes that it lacks; update it first" if attempt.outdated else None


def _subject(attempt: MergeAttempt, rule: Rule) -> str | None:
    return None if attempt.request.subject.strip() else "it has no subject"


def _description(attempt: MergeAttempt, rule: Rule) -> str | None:
    description = attempt.request.description
    text = description is not None and plain_text(dict(description)).strip()
    return None if text else "it has no description"


def _bypass(attempt: MergeAttempt, rule: Rule) -> str | None:
    # Those who are in the list never get here; nobody else is kept from merging by it.
    return None


async def _custom(ctx: Context, attempt: MergeAttempt, rule: Rule) -> str | None:
    text = rule["expression"]
    try:
        expression = parse(text)
        facts = await merge_facts(ctx, attempt.space, attempt.request, references(expression))
        met = truthy(evaluate(expression, facts))
    except ExpressionError as error:
        return f"{text!r} has no value: {error}"
    return None if met else f"{text!r} is not met"


# What the row and its reviews tell; the expressions of `custom` rules read more.
CHECKS: Mapping[str, Check] = {
    "require_at_least_one_review": _one_review,
    "require_all_reviews_approved": _all_reviews,
    "require_specific_reviewers": _specific_reviewers,
    "require_one_of_specific_reviewers": _one_of_specific_reviewers,
    "require_agent_review": _agent_review,
    "require_up_to_date_change_request": _up_to_date,
    "require_change_request_subject": _subject,
    "require_change_request_description": _description,
    BYPASS: _bypass,
}
