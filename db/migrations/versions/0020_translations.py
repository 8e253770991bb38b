"""Translations, glossaries, uploads and fonts of organizations, instructions for agents"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0020_translations"
down_revision = "0019_specifications"
branch_labels = None
depends_on = None


def _id(name: str, *of: object, **options: object) -> sa.Column[str]:
    return sa.Column(name, ordered_text(64), *of, **options)  # type: ignore[arg-type]


def _of(table: str, *, ondelete: str = "CASCADE") -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete=ondelete)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def _time(name: str, *, required: bool = True) -> sa.Column[object]:
    return sa.Column(name, Timestamp(), nullable=not required)


def upgrade() -> None:
    op.add_column("space", sa.Column("computed_source", sa.JSON(none_as_null=True)))
    op.create_table(
        "storage_upload",
        _id("id", primary_key=True),
        _id("organization_id", _of("organization"), nullable=False),
        _id("user_id", _of("user_account")),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("content_type", sa.String(255), nullable=False),
        _count("size"),
        sa.Column("sha256", sa.String(64)),
        _time("created_at"),
        _time("uploaded_at", required=False),
        _time("used_at", required=False),
        sa.Column("lasting", sa.Boolean(), nullable=False),
    )
    op.create_index(
        "ix_storage_upload_organization_id_created_at",
        "storage_upload",
        ["organization_id", "created_at"],
    )
    op.create_index("ix_storage_upload_user_id", "storage_upload", ["user_id"])
    op.create_index("ix_storage_upload_created_at", "storage_upload", ["created_at"])
    op.create_table(
        "custom_font",
        _id("id", primary_key=True),
        _id("organization_id", _of("organization"), nullable=False),
        sa.Column("font_family", sa.String(50), nullable=False),
        sa.Column("faces", sa.JSON(), nullable=False),
        _time("created_at"),
        _time("updated_at"),
    )
    op.create_index("ix_custom_font_organization_id_id", "custom_font", ["organization_id", "id"])
    op.create_table(
        "agent_instructions",
        _id("organization_id", _of("organization"), primary_key=True),
        sa.Column("document", sa.JSON(), nullable=False),
        _time("updated_at"),
        _id("updated_by_id", _of("user_account", ondelete="SET NULL")),
    )
    op.create_table(
        "glossary_entry",
        _id("id", primary_key=True),
        _id("organization_id", _of("organization"), nullable=False),
        sa.Column("translations", sa.JSON(), nullable=False),
        _time("created_at"),
        _time("updated_at"),
    )
    op.create_index(
        "ix_glossary_entry_organization_id_id", "glossary_entry", ["organization_id", "id"]
    )
    op.create_table(
        "translation",
        _id("id", primary_key=True),
        _id("organization_id", _of("organization"), nullable=False),
        _id("source_space_id", _of("space"), nullable=False),
        sa.Column("source_language", sa.String(64), nullable=False),
        sa.Column("language", sa.String(64), nullable=False),
        _id("result_space_id", _of("space"), nullable=False, unique=True),
        sa.Column("instructions", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(64), nullable=False),
        _id("tried_revision_id"),
        _id("source_revision_id"),
        sa.Column("context_digest", sa.String(64)),
        sa.Column("error", sa.String(500)),
        sa.Column("runs", sa.Integer(), nullable=False),
        _count("total_words"),
        _count("total_pages"),
        _count("total_duration"),
        _count("latest_run_duration"),
        _count("latest_pages"),
        _count("latest_words"),
        _count("untranslated"),
        _count("total_characters"),
        _count("total_tokens"),
        _time("created_at"),
        _time("updated_at"),
    )
    op.create_index("ix_translation_organization_id_id", "translation", ["organization_id", "id"])
    op.create_index(
        "uq_translation_pair", "translation", ["source_space_id", "language"], unique=True
    )
    op.create_table(
        "translated_texts",
        _id("translation_id", _of("translation"), primary_key=True),
        _id("owner_id", primary_key=True),
        sa.Column("texts", sa.JSON(), nullable=False),
    )


def downgrade() -> None:
    for table in (
        "translated_texts",
        "translation",
        "glossary_entry",
        "agent_instructions",
        "custom_font",
        "storage_upload",
    ):
        op.drop_table(table)
    op.drop_column("space", "computed_source")
