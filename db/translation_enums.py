"""Enumerations of translations."""

from db.enums import Described


class TranslationStatus(Described):
    """How the newest run of a translation stands."""

    PENDING = "pending", "It waits."
    RUNNING = "running", "It is under way."
    COMPLETED = "completed", "It has ended."


class GlossaryOperationType(Described):
    """What is done with an entry of a glossary."""

    INSERT = "insert", "Adds an entry."
    UPDATE = "update", "Replaces the terms of an entry."
    DELETE = "delete", "Removes an entry."
