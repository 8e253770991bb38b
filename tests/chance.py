"""What chance has in tests: ids, tokens and signatures are others in each run."""

import re

_RANDOM = re.compile("[0-9A-Za-z]{20,}")


def forged(text: str) -> str:
    """A token or a signed address with another letter, always.

    Not the last one: of base64 it has bits that mean nothing.
    """
    return text[:-9] + ("1" if text[-9] == "0" else "0") + text[-8:]


def without_ids(text: str) -> str:
    """A text in which words are looked for: an id has any three letters now and then."""
    return _RANDOM.sub("", text)
