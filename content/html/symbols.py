"""Small pictures that are part of the HTML itself: marks of hints and of tasks.

They are constants of this module, and the only HTML that is not made by `element`.
"""

from __future__ import annotations

from content.html.markup import Html


def _picture(drawing: str, name: str, label: str) -> Html:
    """A drawing on 16 x 16 units in the colour of the text."""
    return Html(
        f'<svg class="symbol {name}" width="16" height="16" viewBox="0 0 16 16" role="img" '
        f'aria-label="{label}" fill="none" stroke="currentColor" stroke-width="1.5" '
        f'stroke-linecap="round" stroke-linejoin="round">{drawing}</svg>'
    )


_CIRCLE = '<circle cx="8" cy="8" r="6.6"></circle>'
_BOX = '<rect x="2" y="2" width="12" height="12" rx="2.5"></rect>'

UNCHECKED = _picture(_BOX, "symbol-task", "Open")
CHECKED = _picture(
    f'{_BOX}<path d="M5 8.3 L7.2 10.5 L11.2 5.8"></path>', "symbol-task symbol-done", "Done"
)
HINTS: dict[str, Html] = {
    "info": _picture(
        f'{_CIRCLE}<path d="M8 7.4 L8 11.2 M8 4.9 L8 4.95"></path>', "symbol-hint", "Info"
    ),
    "success": _picture(
        f'{_CIRCLE}<path d="M5.2 8.3 L7.2 10.3 L10.9 6"></path>', "symbol-hint", "Success"
    ),
    "warning": _picture(
        '<path d="M8 2 L14.6 13.4 L1.4 13.4 Z M8 6.4 L8 9.4 M8 11.4 L8 11.45"></path>',
        "symbol-hint",
        "Warning",
    ),
    "danger": _picture(
        f'{_CIRCLE}<path d="M8 4.8 L8 8.6 M8 11.1 L8 11.15"></path>', "symbol-hint", "Danger"
    ),
}
