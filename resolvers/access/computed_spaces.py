"""Spaces whose content is computed from something else: nobody edits them by hand."""

from db.models.spaces import Space
from resolvers.core.errors import PreconditionFailed


def must_be_written_by_hand(space: Space) -> None:
    """PreconditionFailed for a space whose content is computed, such as a translation."""
    if space.computed_source is not None:
        raise PreconditionFailed(
            f"the content of this space is computed ({space.computed_source.get('type')}): it is "
            "not edited by hand; edit what it is computed from"
        )
