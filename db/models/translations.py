"""Translations of spaces, what was translated for them, and glossaries."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, enum_type, utc_now
from db.enums import Language
from db.ids import new_id
from db.translation_enums import TranslationStatus

DIGEST_LENGTH = 64


class Translation(Base):
    """A space in another language: its result is a space that runs fill.

    Statistics count in the source language, durations are seconds.
    """

    __tablename__ = "translation"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    source_space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    source_language: Mapped[Language] = mapped_column(enum_type(Language))
    language: Mapped[Language] = mapped_column(enum_type(Language))
    result_space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), unique=True
    )
    instructions: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    status: Mapped[TranslationStatus] = mapped_column(
        enum_type(TranslationStatus), default=TranslationStatus.PENDING
    )
    # The revision of the source that the newest run has begun with, and the one that the result
    # is made of; the digest of the glossary, instructions and provider that it was made with.
    tried_revision_id: Mapped[Id | None]
    source_revision_id: Mapped[Id | None]
    context_digest: Mapped[str | None] = mapped_column(String(DIGEST_LENGTH))
    # Why the newest run has made nothing.
    error: Mapped[str | None] = mapped_column(String(500))
    runs: Mapped[int] = mapped_column(default=0)
    total_words: Mapped[int] = mapped_column(BigInteger, default=0)
    total_pages: Mapped[int] = mapped_column(BigInteger, default=0)
    total_duration: Mapped[int] = mapped_column(BigInteger, default=0)
    latest_run_duration: Mapped[int] = mapped_column(BigInteger, default=0)
    latest_pages: Mapped[int] = mapped_column(BigInteger, default=0)
    latest_words: Mapped[int] = mapped_column(BigInteger, default=0)
    # Texts of the result that stayed as they are, for no answer of the provider could be used.
    untranslated: Mapped[int] = mapped_column(BigInteger, default=0)
    # What providers have counted in all runs.
    total_characters: Mapped[int] = mapped_column(BigInteger, default=0)
    total_tokens: Mapped[int] = mapped_column(BigInteger, default=0)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "organization_id", "id"),
        Index("uq_translation_pair", "source_space_id", "language", unique=True),
    )


class TranslatedTexts(Base):
    """The texts of one page or reusable content, by what they are translations of."""

    __tablename__ = "translated_texts"
    translation_id: Mapped[Id] = mapped_column(
        ForeignKey("translation.id", ondelete="CASCADE"), primary_key=True
    )
    # The id of the page or reusable content.
    owner_id: Mapped[Id] = mapped_column(primary_key=True)
    # Digest of a text with all that its translation follows from -> the translation.
    texts: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


class GlossaryEntry(Base):
    """A term in several languages."""

    __tablename__ = "glossary_entry"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    # Language -> term.
    translations: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "organization_id", "id"),)
