"""Why something could not be fetched."""


class FetchError(ValueError):
    """An address that is refused, or that gave no usable answer; the message says which and why."""


class FetchTimeoutError(FetchError):
    """An answer that took too long."""
