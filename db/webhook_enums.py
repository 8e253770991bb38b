"""Enumerations of webhooks."""

from db.enums import Described


class WebhookStop(Described):
    """Why nothing is delivered to an endpoint any more."""

    FAILING = "failing", "Nothing was taken for more than a day of attempts."
    GONE = "gone", "It has answered with 410."
    OWNER = "owner", "Whoever it delivers for may not administer it any more."


class DeliveryState(Described):
    """How a delivery stands."""

    QUEUED = "queued", "It was asked for, and is sent soon."
    RETRYING = "retrying", "It has failed, and is tried again; later events wait behind it."
    DELIVERED = "delivered", "The endpoint has taken it."
    DEAD = "dead", "It has failed, and is not tried again by itself."
