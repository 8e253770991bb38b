"""Fonts of organizations: made of uploads, shown by their sites (docs/fonts.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import func, select
from strawberry import Maybe

from db.customization_enums import FontFormat
from db.enums import Role
from db.models.organizations import Organization
from db.models.storage import FAMILY_LENGTH, CustomFont
from db.storage_enums import StorageUploadKind
from resolvers.access.policy import must, must_in, ranks_of
from resolvers.core import inputs
from resolvers.core.arguments import OfOrganization, OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import PreconditionFailed, invalid
from resolvers.core.pagination import by_id
from resolvers.core.scalars import Url
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.listings import Listing
from resolvers.storage.operations import release_uploads, storage_url, use_upload

# Fonts of an organization, weights of a font.
MOST_FONTS, MOST_FACES = 50, 20
KEY_LENGTH = 512
FontId = Annotated[strawberry.ID, inputs.argument("Id of the font.")]


@strawberry.input(description="One weight of a new font.")
class CustomFontFaceInput:
    weight: int = inputs.number("Its weight, 1 to 1000.", min=1, max=1000, required=True)
    storage_key: str = inputs.text(
        "Key of the upload with its file.", min=1, max=KEY_LENGTH, required=True
    )


@strawberry.input(description="One weight of a font that is changed.")
class CustomFontFaceUpdateInput:
    weight: int = inputs.number("Its weight, 1 to 1000.", min=1, max=1000, required=True)
    storage_key: Maybe[str | None] = inputs.field(
        "Key of the upload with its file; null keeps the file that this weight has.",
        present=True,
        bounds=inputs.Bounds(1, KEY_LENGTH),
    )


@strawberry.input(description="A new font.")
class CreateCustomFontInput:
    font_family: str = inputs.text("Its name.", min=1, max=FAMILY_LENGTH, required=True)
    font_faces: list[CustomFontFaceInput] = inputs.items(
        "Its weights.", min=1, max=MOST_FACES, required=True
    )


@strawberry.input(description="Changes to a font; absent fields stay as they are.")
class UpdateCustomFontInput:
    font_family: Maybe[str] = inputs.text("Its name.", min=1, max=FAMILY_LENGTH)
    font_faces: Maybe[list[CustomFontFaceUpdateInput]] = inputs.items(
        "Its weights: those that are not named are removed.", min=1, max=MOST_FACES
    )


@operation(one_statement=True)
async def get_custom_font(
    ctx: Context,
    id: FontId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> CustomFont:
    """A font of an organization that you are a member of."""
    return await must_in(ctx, CustomFont, id, organization_id, projection=projection)


async def create_custom_font(
    ctx: Context, organization_id: OrganizationId, input: CreateCustomFontInput
) -> CustomFont:
    """Make a font of files that were uploaded for it; for administrators of the organization.

    NotFound for a key that is no upload of yours for a font, PreconditionFailed for one without a
    file or that was used before.
    """
    await must(ctx, Organization, organization_id, Role.ADMIN)
    count = select(func.count()).where(CustomFont.organization_id == organization_id)
    if (await ctx.session.execute(count)).scalar_one() >= MOST_FONTS:
        raise PreconditionFailed(f"an organization has {MOST_FONTS} fonts at most")
    font = CustomFont(
        organization_id=organization_id,
        font_family=input.font_family,
        faces=await _faces(ctx, organization_id, input.font_faces, {}),
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    ctx.session.add(font)
    await ctx.session.flush()
    return font


async def update_custom_font(
    ctx: Context, id: FontId, input: UpdateCustomFontInput, organization_id: OfOrganization = None
) -> CustomFont:
    """Change a font; for administrators of the organization. Sites that show it name its files, so
    they show the change when their look is written anew."""
    font = await must_in(ctx, CustomFont, id, organization_id, Role.ADMIN, lock=True)
    inputs.assign(font, input, "font_family")
    if input.font_faces is not None:
        before = {face["weight"]: face for face in font.faces}
        font.faces = await _faces(ctx, font.organization_id, input.font_faces.value, before)
        names = {face["upload"] for face in font.faces}
        gone = [face["upload"] for face in before.values() if face["upload"] not in names]
        await release_uploads(ctx, font.organization_id, gone)
    if ctx.session.is_modified(font):
        font.updated_at = ctx.now()
    return font


async def delete_custom_font(
    ctx: Context, id: FontId, organization_id: OfOrganization = None
) -> Deletion:
    """Delete a font; for administrators of the organization. Sites that name it show the font of
    the reader's machine instead."""
    with finding_what_to_delete():
        font = await must_in(ctx, CustomFont, id, organization_id, Role.ADMIN, lock=True)
    uploads = [face["upload"] for face in font.faces]
    await release_uploads(ctx, font.organization_id, uploads)
    await ctx.session.delete(font)
    return Deletion(deleted_id=font.id, organization_id=font.organization_id)


async def _faces(
    ctx: Context,
    organization_id: str,
    faces: Sequence[CustomFontFaceInput | CustomFontFaceUpdateInput],
    before: Mapping[int, dict[str, Any]],
) -> list[dict[str, Any]]:
    """Faces as they are stored, by weight."""
    stored: dict[int, dict[str, Any]] = {}
    for index, face in enumerate(faces):
        where = f"fontFaces[{index}]"
        if face.weight in stored:
            raise invalid(f"{where}.weight", f"{face.weight} is there twice")
        key = face.storage_key if isinstance(face, CustomFontFaceInput) else _key_of(face)
        if key is None:
            if face.weight not in before:
                raise invalid(f"{where}.storageKey", f"the font has no weight {face.weight} yet")
            stored[face.weight] = before[face.weight]
            continue
        upload = await use_upload(
            ctx, organization_id, key, StorageUploadKind.CUSTOMIZATION_FONT,
            f"{where}.storageKey", lasting=True,
        )  # fmt: skip
        stored[face.weight] = {
            "weight": face.weight,
            "upload": upload.id,
            "format": upload.content_type.removeprefix("font/"),
        }
    return [stored[weight] for weight in sorted(stored)]


def _key_of(face: CustomFontFaceUpdateInput) -> str | None:
    return inputs.given(face.storage_key, None)


fonts_of_organizations = Listing(
    "fonts_of_organizations",
    CustomFont,
    CustomFont.organization_id,
    by_id(CustomFont),
    about="Fonts of organizations, oldest first.",
)

# ------------------------------------------------------------------ fields


@dataclass(frozen=True, slots=True)
class FontSource:
    """A file of a font."""

    url: Url
    format: FontFormat


@dataclass(frozen=True, slots=True)
class FontFace:
    """One weight of a font."""

    weight: int
    sources: Sequence[FontSource]


@computed_from("faces")
async def font_faces(
    ctx: Context, rows: Sequence[CustomFont], arguments: Any
) -> list[list[FontFace]]:
    """The weights of fonts with the addresses of their files."""
    return [[_face(ctx, face) for face in row.faces] for row in rows]


def _face(ctx: Context, face: Mapping[str, Any]) -> FontFace:
    url = Url(storage_url(ctx, face["upload"]))
    return FontFace(face["weight"], (FontSource(url, FontFormat(face["format"])),))


@computed_from()
async def are_custom(ctx: Context, rows: Sequence[CustomFont], arguments: Any) -> list[bool]:
    """Fonts of organizations are custom ones."""
    return [True for _ in rows]


@dataclass(frozen=True, slots=True)
class FontPermissions:
    """What the caller may do with a font."""

    edit: bool


@reads("organization_id")
async def font_permissions(
    ctx: Context, rows: Sequence[CustomFont], arguments: Any
) -> list[FontPermissions]:
    """What the caller may do with fonts."""
    ranks = await ranks_of(ctx, CustomFont, rows)
    return [FontPermissions(rank >= Role.ADMIN.rank) for rank in ranks]
