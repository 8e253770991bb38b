"""Merge rules as they are written and stored (docs/change-requests.md, "Merge rules")."""

from typing import Any

import strawberry

from content.errors import ExpressionSyntaxError
from content.expressions.parser import parse
from content.expressions.references import require_roots
from resolvers.core import inputs
from resolvers.core.errors import Invalid, invalid

WITH_USERS = (
    "require_specific_reviewers",
    "require_one_of_specific_reviewers",
    "allow_bypass",
)
PLAIN = (
    "require_at_least_one_review",
    "require_all_reviews_approved",
    "require_agent_review",
    "require_up_to_date_change_request",
    "require_change_request_subject",
    "require_change_request_description",
)
CUSTOM = "custom"
# The reserved user of automated reviewers, and its name in the published contract.
AGENT = "service:agent"
AGENTS = (AGENT, "gitbook:agent")
# What the expression of a custom rule knows (resolvers/merging/facts.py).
MERGE_NAMES = ("space", "changeRequest", "reviews", "actor")
RULE_LIMIT = 50
EXPRESSION_LIMIT = 1024


@strawberry.input(description="One condition that a merge must meet.")
class MergeRuleInput:
    rule: str = inputs.text("Name of the rule.", required=True, max=64)
    users: list[strawberry.ID] | None = inputs.items("Users of a rule about people.", max=100)
    expression: str | None = inputs.text("Condition of a `custom` rule.", max=EXPRESSION_LIMIT)


@strawberry.input(description="When change requests may be merged.")
class StandaloneMergeRules:
    type: str = inputs.text(
        "`none`, or `rules` with a list.",
        required=True,
        pattern="none|rules",
        allowed="'none' or 'rules'",
    )
    rules: list[MergeRuleInput] | None = inputs.items(
        "The conditions, all of which must hold.", max=RULE_LIMIT
    )


@strawberry.input(description="When change requests of a space may be merged.")
class SpaceMergeRules:
    type: str = inputs.text(
        "`inherit` takes the organization's rules; `none`; or `rules` with a list.",
        required=True,
        pattern="inherit|none|rules",
        allowed="'inherit', 'none' or 'rules'",
    )
    rules: list[MergeRuleInput] | None = inputs.items(
        "The conditions, all of which must hold.", max=RULE_LIMIT
    )


def read_merge_rules(value: StandaloneMergeRules | SpaceMergeRules) -> dict[str, Any]:
    """The rules as they are stored and shown; Invalid names the entry that is wrong."""
    if value.type != "rules":
        if value.rules:
            raise invalid("mergeRules.rules", f"not allowed with the type {value.type!r}")
        return {"type": value.type}
    if value.rules is None:
        raise invalid("mergeRules.rules", "is required with the type 'rules'")
    return {
        "type": "rules",
        "rules": [_read_rule(index, rule) for index, rule in enumerate(value.rules)],
    }


def stored_rules_problem(value: dict[str, Any]) -> str | None:
    """What is wrong with rules that say that they were stored; None where nothing is."""
    rules = [MergeRuleInput(**rule) for rule in value.get("rules", ())]
    try:
        read_merge_rules(SpaceMergeRules(type=value["type"], rules=rules or None))
    except Invalid as error:
        return error.message
    return None


def _read_rule(index: int, rule: MergeRuleInput) -> dict[str, Any]:
    path = f"mergeRules.rules[{index}]"
    if rule.rule in WITH_USERS:
        if not rule.users:
            raise invalid(f"{path}.users", f"at least one is required by {rule.rule!r}")
        return {"rule": rule.rule, "users": [str(user) for user in rule.users]}
    if rule.rule == CUSTOM:
        if not rule.expression or not rule.expression.strip():
            raise invalid(f"{path}.expression", "is required by 'custom'")
        try:
            require_roots(parse(rule.expression), MERGE_NAMES)
        except ExpressionSyntaxError as error:
            raise invalid(f"{path}.expression", str(error)) from error
        return {"rule": CUSTOM, "expression": rule.expression}
    if rule.rule in PLAIN:
        return {"rule": rule.rule}
    allowed = ", ".join((*WITH_USERS, *PLAIN, CUSTOM))
    raise invalid(f"{path}.rule", f"{rule.rule!r} is unknown; it must be one of {allowed}")
