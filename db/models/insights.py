"""What visitors did on published sites (docs/sites.md, "Insights")."""

import datetime as dt

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, enum_type, ordered_text
from db.ids import new_id
from db.site_enums import InsightsEventType


class InsightsEvent(Base):
    """Something that a visitor did; addresses of visitors are never stored.

    What has a column of its own is what most questions are about; the rest is in `data`, by the
    names that columns have in questions.
    """

    __tablename__ = "insights_event"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"))
    happened_at: Mapped[dt.datetime]
    type: Mapped[InsightsEventType] = mapped_column(enum_type(InsightsEventType))
    visitor_id: Mapped[str] = mapped_column(ordered_text(128))
    session_id: Mapped[str] = mapped_column(ordered_text(128))
    url: Mapped[str] = mapped_column(String(2048))
    # Ids as the event gave them: what they name may be gone since.
    section_id: Mapped[Id | None]
    site_space_id: Mapped[Id | None]
    page_id: Mapped[Id | None]
    share_key: Mapped[str | None] = mapped_column(String(64))
    data: Mapped[Data] = mapped_column(JSON)
    __table_args__ = (
        Index(None, "site_id", "happened_at"),
        # For removing what is too old.
        Index(None, "happened_at"),
    )
