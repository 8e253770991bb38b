"""The columns of insights: where their values are, how filters give them, how answers show them.

What a caller names is looked up here; nothing of it becomes part of a statement.
"""

import datetime as dt
import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson
from sqlalchemy import (
    ColumnElement,
    Integer,
    String,
    bindparam,
    cast,
    func,
    literal_column,
    type_coerce,
)

from db.base import Timestamp
from db.models.insights import InsightsEvent
from db.rows import SQLITE
from db.site_enums import (
    InsightsAdPlacement,
    InsightsColumn,
    InsightsDisplayContext,
    InsightsEventType,
    InsightsInterval,
    InsightsLinkKind,
    InsightsLinkPosition,
    InsightsOperator,
    InsightsTrademarkPlacement,
    InsightsVisitorBot,
    InsightsVisitorBrowser,
    InsightsVisitorDevice,
    InsightsVisitorSystem,
    PageFeedbackRating,
)
from resolvers.core.errors import invalid, invalid_at
from resolvers.core.scalars import read_time, write_time
from resolvers.insights.claims import as_text
from resolvers.insights.events import bare_url, reference_text

Value = Any
Read = Callable[[Any], Value]
SIZES = frozenset(InsightsOperator) - {InsightsOperator.IN, InsightsOperator.NOT_IN}


def member(dialect: str, *names: str) -> ColumnElement[Any]:
    """A member of the stored JSON as text (or as SQLite's own kind of value); names are ours."""
    if dialect == SQLITE:
        path = "$." + ".".join(f'"{name}"' for name in names)
        return func.json_extract(InsightsEvent.data, literal_column(f"'{path}'"), type_=String())
    expression: Any = InsightsEvent.data
    for name in names[:-1]:
        expression = expression.op("->")(quoted(name))
    return type_coerce(expression.op("->>")(quoted(names[-1])), String())


def quoted(word: str) -> ColumnElement[str]:
    """A word of ours as a literal: it may stand where a parameter may not, as in groups."""
    return literal_column(f"'{word}'", String())


def claim_of(dialect: str, parameter: str) -> ColumnElement[Any]:
    """The claim whose path is in a parameter."""
    name: ColumnElement[Any] = bindparam(parameter, type_=String())
    if dialect == SQLITE:
        path = literal_column("'$.claim.\"'").concat(name).concat(literal_column("'\"'"))
        return func.json_extract(InsightsEvent.data, path, type_=String())
    claims: Any = InsightsEvent.data.op("->")(literal_column("'claim'"))
    return type_coerce(claims.op("->>")(cast(name, String())), String())


_CUTS = {
    InsightsInterval.HOUR: (13, ":00:00.000000"),
    InsightsInterval.DAY: (10, " 00:00:00.000000"),
    InsightsInterval.MONTH: (7, "-01 00:00:00.000000"),
}


def moment(dialect: str, interval: InsightsInterval | None) -> ColumnElement[Any]:
    """When an event happened, cut to the beginning of its period; a week begins on Monday."""
    at: Any = InsightsEvent.happened_at
    if interval is None:
        return type_coerce(at, Timestamp())
    if dialect != SQLITE:
        period: ColumnElement[Any] = func.date_trunc(
            quoted(interval.value), at, quoted("UTC"), type_=Timestamp()
        )
        return period
    text = type_coerce(at, String())
    if interval is InsightsInterval.WEEK:
        day = func.date(text, literal_column("'weekday 0'"), literal_column("'-6 days'"))
        cut = type_coerce(day, String()).concat(literal_column("' 00:00:00.000000'"))
    else:
        length, rest = _CUTS[interval]
        begun = func.substr(text, literal_column("1"), literal_column(str(length)), type_=String())
        cut = begun.concat(literal_column(f"'{rest}'"))
    return type_coerce(cut, Timestamp())


def page(dialect: str) -> ColumnElement[Any]:
    """Space and page in one text; null where the space is not known."""
    space = member(dialect, "space")
    id = func.coalesce(InsightsEvent.page_id, quoted(""))
    # Nothing joined to something is nothing.
    return space.concat(quoted("/")).concat(id)


# ------------------------------------------------------------------ values of filters


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


def _one_of(values: type[enum.Enum]) -> Read:
    allowed = [member.value for member in values]

    def read(value: Any) -> Value:
        if value not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return value

    return read


def _url(value: Any) -> str:
    return bare_url(urlsplit(_text(value)))


def _time(value: Any) -> dt.datetime:
    return read_time(_text(value))


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise ValueError("must be a whole number")
    if abs(value) >= 2**31:
        raise ValueError("must be between ±2147483647")
    return int(value)


def _page(value: Any) -> str:
    if not isinstance(value, dict) or not value.keys() <= {"page", "space"}:
        raise ValueError("must be null or an object with page and space")
    return f"{_text(value.get('space'))}/{_text(value.get('page') or '')}"


def _reference(value: Any) -> str:
    if not isinstance(value, dict):
        raise ValueError("must be a content reference")
    return reference_text(value)


def _bot(value: Any) -> Value:
    """Empty text asks for people, as null does."""
    return None if value == "" else _one_of(InsightsVisitorBot)(value)


def _point(value: Any) -> str:
    if not isinstance(value, dict) or not isinstance(value.get("h3"), str):
        raise ValueError("must be null or an object with latitude, longitude and h3")
    return str(value["h3"])


# ------------------------------------------------------------------ values of answers


def _as_is(value: Any) -> Value:
    return value


def _show_page(value: str | None) -> Value:
    if value is None:
        return None
    space, _, id = value.partition("/")
    return {"page": id or None, "space": space}


def _show_reference(value: str | None) -> Value:
    return None if value is None else orjson.loads(value)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its SQL for a database, and its values in filters and answers."""

    sql: Callable[[str], ColumnElement[Any]] | None
    read: Read = _text
    show: Callable[[Any], Value] = _as_is
    # Filters take all values as one list.
    listed: bool = True
    # Sizes of its values can be compared.
    sized: bool = False
    # Null is a value of it; where it is none, the empty text stands for nothing.
    nullable: bool = False


def _stored(name: str, read: Read = _text, **options: Any) -> Column:
    """Something that stands in the JSON under the column's own name."""

    def sql(dialect: str) -> ColumnElement[Any]:
        value = member(dialect, name)
        return value if options.get("nullable") else _never_null(value)

    return Column(sql, read, **options)


def _never_null(expression: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.coalesce(expression, literal_column("''"), type_=String())


def _word(name: str, values: type[enum.Enum]) -> Column:
    """One of a few words; null where the event has none."""
    return _stored(name, _one_of(values), nullable=True)


def _of_model(attribute: Any, read: Read = _text, *, nullable: bool = True) -> Column:
    return Column(lambda dialect: type_coerce(attribute, String()), read, nullable=nullable)


def _ask_rating(dialect: str) -> ColumnElement[Any]:
    return cast(member(dialect, "eventAskResponseRating"), Integer)


_COUNT = Column(None, _number, listed=False, sized=True)
_ = InsightsColumn
COLUMNS: Mapping[InsightsColumn, Column] = {
    _.DATETIME: Column(lambda dialect: moment(dialect, None), _time, write_time, listed=False,
                       sized=True),
    _.URL: _of_model(InsightsEvent.url, _url, nullable=False),
    _.EVENT_TYPE: _of_model(InsightsEvent.type, _one_of(InsightsEventType), nullable=False),
    _.EVENTS_COUNT: _COUNT,
    _.SESSIONS_COUNT: _COUNT,
    _.VISITORS_COUNT: _COUNT,
    _.SITE_SECTION: _of_model(InsightsEvent.section_id),
    _.SITE_SPACE: _of_model(InsightsEvent.site_space_id),
    _.SITE_SHARE_KEY: _of_model(InsightsEvent.share_key),
    _.DISPLAY_CONTEXT: _word("displayContext", InsightsDisplayContext),
    _.PAGE: Column(page, _page, _show_page, nullable=True),
    _.VISITOR_GEO_COUNTRY: _stored("visitorGeoCountry", nullable=True),
    _.VISITOR_GEO_POINT: _stored("visitorGeoPoint", _point, nullable=True),
    _.VISITOR_DEVICE: _word("visitorDevice", InsightsVisitorDevice),
    _.VISITOR_BROWSER: _word("visitorBrowser", InsightsVisitorBrowser),
    _.VISITOR_OS: _word("visitorOS", InsightsVisitorSystem),
    _.VISITOR_BOT: _stored("visitorBot", _bot, nullable=True),
    _.VISITOR_LANGUAGE: _stored("visitorLanguage", nullable=True),
    # Its SQL needs the claim, that of the next one a table of its own.
    _.VISITOR_CLAIM: Column(None, as_text),
    _.VISITOR_CLAIM_PROPERTY: Column(None),
    _.EVENT_LINK_TARGET_VALUE: _stored("eventLinkTargetValue", _reference, show=_show_reference,
                                       nullable=True),
    _.EVENT_LINK_TARGET_KIND: _word("eventLinkTargetKind", InsightsLinkKind),
    _.EVENT_LINK_TARGET_DOMAIN: _stored("eventLinkTargetDomain", nullable=True),
    _.EVENT_LINK_POSITION: _word("eventLinkPosition", InsightsLinkPosition),
    _.EVENT_API_OPERATION_PATH: _stored("eventAPIOperationPath", nullable=True),
    _.EVENT_API_OPERATION_METHOD: _stored("eventAPIOperationMethod", nullable=True),
    _.EVENT_SEARCH_QUERY: _stored("eventSearchQuery"),
    _.EVENT_PAGE_FEEDBACK_RATING: _word("eventPageFeedbackRating", PageFeedbackRating),
    _.EVENT_PAGE_FEEDBACK_COMMENT: _stored("eventPageFeedbackComment"),
    _.EVENT_ASK_RESPONSE_RATING: Column(_ask_rating, _number, listed=False, sized=True,
                                        nullable=True),
    _.EVENT_AD_DOMAIN: _stored("eventAdDomain"),
    _.EVENT_AD_PLACEMENT: _word("eventAdPlacement", InsightsAdPlacement),
    _.EVENT_TRADEMARK_PLACEMENT: _word("eventTrademarkPlacement", InsightsTrademarkPlacement),
    _.PAGE_FEEDBACK_RATING: _COUNT,
    _.ASK_RESPONSE_RATING: _COUNT,
    _.REFERRER: _stored("referrer"),
    _.REFERRER_DOMAIN: _stored("referrerDomain"),
    _.UTM_SOURCE: _stored("utmSource"),
    _.UTM_MEDIUM: _stored("utmMedium"),
    _.UTM_CAMPAIGN: _stored("utmCampaign"),
    _.UTM_TERM: _stored("utmTerm"),
    _.UTM_CONTENT: _stored("utmContent"),
}  # fmt: skip
COUNTS = frozenset({
    _.EVENTS_COUNT, _.SESSIONS_COUNT, _.VISITORS_COUNT, _.PAGE_FEEDBACK_RATING,
    _.ASK_RESPONSE_RATING,
})  # fmt: skip
# Ratings are several numbers at once, each of them a count of the events with that rating.
RATINGS: Mapping[InsightsColumn, tuple[InsightsColumn, InsightsEventType, Mapping[str, Value]]] = {
    _.PAGE_FEEDBACK_RATING: (
        _.EVENT_PAGE_FEEDBACK_RATING,
        InsightsEventType.PAGE_POST_FEEDBACK,
        {"ok": "ok", "good": "good", "bad": "bad"},
    ),
    _.ASK_RESPONSE_RATING: (
        _.EVENT_ASK_RESPONSE_RATING,
        InsightsEventType.ASK_RATE_RESPONSE,
        {"positive": 1, "negative": -1},
    ),
}
del _


def read_values(
    column: InsightsColumn, operator: InsightsOperator, values: Sequence[Any], path: str
) -> tuple[list[Value], bool]:
    """The values of a filter as they are compared, and whether null is among them."""
    definition = COLUMNS[column]
    if column in RATINGS:
        raise invalid(path, f"{column.value} cannot be filtered; filter by its events")
    if operator in SIZES:
        if not definition.sized:
            raise invalid(path, f"sizes of {column.value} cannot be compared; use in or notIn")
        if len(values) != 1 or values[0] is None:
            raise invalid(path, f"the operator {operator.value} needs exactly one value")
    compared: list[Value] = []
    empty = False
    for index, value_given in enumerate(values):
        if value_given is None and definition.nullable:
            empty = True
            continue
        with invalid_at(f"{path}[{index}]", ValueError, OverflowError):
            value = definition.read(value_given)
        if value is None:
            empty = True
        else:
            compared.append(value)
    return compared, empty
