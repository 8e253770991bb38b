"""Settings, signing keys, and the fetcher of imports, as resolvers get them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from db.blobs import BlobStore
from fetching.client import Fetched, Fetcher
from fetching.translation.provider import ProviderSettings
from resolvers.core.embed_cache import EmbedCache
from resolvers.core.openid_providers import OpenIdProvider
from resolvers.core.sealing import Sealer
from runtime.calls import Answer


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the installation that resolvers read."""

    public_url: str = "http://127.0.0.1:8000"
    # The host that custom host names of sites have to lead to.
    hostname_target: str = "127.0.0.1"
    page_size: int = 50
    page_limit: int = 1000
    # What a merge does where both sides changed the same thing: "hold" or "apply".
    merge_on_conflict: str = "hold"
    # How long events of visitors are kept.
    insights_days: int = 400
    # Through which people of every organization sign on.
    openid_providers: tuple[OpenIdProvider, ...] = ()
    # Whether there is a mail server; without one, links are shown instead.
    sends_mail: bool = False
    # What translates; None: nothing is translated.
    translation: ProviderSettings | None = None


@dataclass(frozen=True, slots=True)
class FileAccess:
    """Where the bytes of files are, and the key that signs their addresses."""

    blobs: BlobStore
    key: bytes


# An event for an integration by its id, and the organization, space or site that it concerns, each
# None where it does not matter: what came of it.
AskIntegration = Callable[[str, Mapping[str, Any], "Concerns"], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Concerns:
    """Where an event of an integration happens: ids, None where that does not matter."""

    organization_id: str | None = None
    space_id: str | None = None
    site_id: str | None = None


@dataclass(frozen=True, slots=True)
class ImportBudget:
    """How much one import takes over, and how long it may take."""

    pages: int
    files: int
    seconds: float
    # What the names of the settings begin with that set pages and files.
    settings: str


# Somebody waits for the first; the second is a job.
IMPORT_BUDGET = ImportBudget(pages=20, files=20, seconds=25, settings="DOCSTEAD_IMPORT")
IMPORT_RUN_BUDGET = ImportBudget(
    pages=5_000, files=10_000, seconds=600, settings="DOCSTEAD_IMPORT_RUN"
)


@dataclass(frozen=True, slots=True)
class ImportAccess:
    """The fetcher of imports, and how much one that is waited for and a run take over."""

    fetcher: Fetcher
    budget: ImportBudget = IMPORT_BUDGET
    run_budget: ImportBudget = IMPORT_RUN_BUDGET
    # What is imported, where it was received: then nothing is fetched but pictures.
    received: Fetched | None = None
    # What was fetched for embeds (resolvers/published/embeds.py).
    embeds: EmbedCache[Any] = field(default_factory=EmbedCache)


@dataclass(frozen=True, slots=True)
class GitAccess:
    """How repositories are reached, and what of them is stored."""

    fetcher: Fetcher
    # Folder of clones that later operations go on with.
    folder: Path
    # Seals credentials until their operation ends.
    sealer: Sealer
    # Whether repositories may be reached by http, too.
    http: bool = False
    # Of what one fetch brings, and of all clones together.
    megabytes: int = 500
    cache_megabytes: int = 5_000
    # Of one request to a repository.
    seconds: float = 600
    # Who makes commits.
    author_name: str = "Docstead"
    author_email: str = "docstead@localhost"
