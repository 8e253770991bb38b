"""Whether the extra packages for PDFs are there; nothing of them is imported for that."""

from importlib.util import find_spec

PACKAGES = ("plutoprint", "pypdf", "ziamath")
NOT_INSTALLED = (
    "this server makes no PDFs: its operator has not installed the packages for them "
    "(pip install 'docstead[pdf]')"
)


def makes_pdfs() -> bool:
    """Whether this server can make PDFs."""
    return all(find_spec(name) is not None for name in PACKAGES)
