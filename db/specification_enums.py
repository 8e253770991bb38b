"""Enumerations of OpenAPI specifications."""

from db.enums import Described


class SpecificationState(Described):
    """How far the processing of a specification is."""

    PENDING = "pending", "It waits to be processed."
    PROGRESS = "progress", "It is being fetched and read."
    COMPLETE = "complete", "It was processed; the error code says whether that has failed."


class SpecificationErrorCode(Described):
    """Why the last processing of a specification has failed."""

    FETCH_TIMEOUT = "FETCH_TIMEOUT", "Its source, or a file that it refers to, took too long."
    FETCH_ERROR = "FETCH_ERROR", "Its source, or a file that it refers to, could not be fetched."
    PARSE_ERROR = "PARSE_ERROR", "It is not a valid specification, or exceeds a limit."


class SpecificationVisibility(Described):
    """Who may read a specification."""

    PRIVATE = "private", "Members of the organization."
    PUBLIC = "public", "Everybody who has its public address, too."
