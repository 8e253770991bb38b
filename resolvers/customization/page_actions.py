"""What visitors can do with a page: switches of each action, and a list of all in their order.

The switches decide what there is; what is stored of the list decides about its order alone. So
clients that know the one or the other read and write the same.
"""

from resolvers.core.errors import invalid
from resolvers.customization.table import Json

# The switch of each action: a section of the settings and a member of it.
_SWITCHES = {
    "external-ai": ("pageActions", "externalAI"),
    "markdown": ("pageActions", "markdown"),
    "mcp": ("pageActions", "mcp"),
    "git": ("git", "showEditLink"),
    "pdf": ("pdf", "enabled"),
}
_ASSISTANT = "assistant"
# The order where none was chosen: that of the defaults, then those that are off by default.
_USUAL = (_ASSISTANT, "markdown", "mcp", "pdf", "external-ai", "git")


def with_items(settings: Json) -> Json:
    """Whole settings with the list of what there is."""
    order = settings["pageActions"]["items"]
    there = [name for name, (part, member) in _SWITCHES.items() if settings[part][member]]
    if there and settings["ai"]["mode"] == _ASSISTANT:
        there.insert(0, _ASSISTANT)
    items = [name for name in order if name in there]
    # Actions that the order does not have yet are behind the others, the assistant before them.
    items += [name for name in there if name not in items and name != _ASSISTANT]
    if _ASSISTANT in there and _ASSISTANT not in items:
        items.insert(0, _ASSISTANT)
    return {**settings, "pageActions": {**settings["pageActions"], "items": items}}


def refuse_assistant(settings: Json) -> None:
    """Invalid for a list that has the site's assistant where the site has none."""
    items = settings.get("pageActions", {}).get("items") or []
    mode = settings.get("ai", {}).get("mode")
    if _ASSISTANT in items and mode != _ASSISTANT:
        where = f"pageActions.items[{items.index(_ASSISTANT)}]"
        raise invalid(where, "'assistant' is allowed with the mode 'assistant' of `ai` only")


def switched(settings: Json, holding: Json) -> Json:
    """New settings whose switches say what their list says, as far as the list is the change.

    A list that differs from what holds decides; one that does not gives way to switches that are
    given beside it, for clients that know one of them send the other back as they have read it.
    """
    items = settings.get("pageActions", {}).get("items")
    if items is None:
        return settings
    items = list(dict.fromkeys(items))
    result, changed = dict(settings), items != holding["pageActions"]["items"]
    for name, (part, member) in _SWITCHES.items():
        if changed or member not in result.get(part, {}):
            result[part] = {**result.get(part, {}), member: name in items}
    actions = {name: value for name, value in result["pageActions"].items() if name != "items"}
    # An order that the switches give anyway is none of its own.
    usual = [name for name in _USUAL if name in items]
    result["pageActions"] = actions if items == usual else {**actions, "items": items}
    return result
