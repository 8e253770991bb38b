"""How a server reaches others, and runs what they have written: as the settings say."""

from dataclasses import replace
from urllib.parse import urlsplit

from docstead.settings import Settings
from fetching.addresses import Allowance
from fetching.client import Fetcher, FetchLimits
from resolvers.core.installation import (
    IMPORT_BUDGET,
    IMPORT_RUN_BUDGET,
    GitAccess,
    ImportAccess,
)
from resolvers.core.sealing import Sealer, key_of
from runtime.limits import Limits as ScriptLimits
from runtime.runner import Runner, allowance_of
from runtime.script_requests import ScriptFetcher


def import_access(settings: Settings) -> ImportAccess:
    """The fetcher and the limits of imports; each that is waited for ends before its request."""
    seconds = 0.8 * settings.request_seconds
    fetching = FetchLimits(
        step_seconds=min(10, seconds), total_seconds=seconds, bytes=settings.fetch_bytes
    )
    return ImportAccess(
        Fetcher(Allowance.read(settings.fetch_allow), fetching),
        replace(
            IMPORT_BUDGET,
            pages=settings.import_pages,
            files=settings.import_files,
            seconds=seconds,
        ),
        replace(
            IMPORT_RUN_BUDGET, pages=settings.import_run_pages, files=settings.import_run_files
        ),
    )


def sealer_of(settings: Settings) -> Sealer:
    """What seals secrets of others, with the keys that the settings name."""
    former = [key.strip().encode() for key in settings.former_secret_keys.split(",") if key.strip()]
    return Sealer(key_of(settings.secret_key, settings.data_dir.absolute()), former)


def git_access(settings: Settings, fetcher: Fetcher, sealer: Sealer) -> GitAccess:
    """How repositories are reached, as the settings say."""
    host = urlsplit(settings.public_url).hostname or ""
    host = "localhost" if not host or ":" in host else host
    return GitAccess(
        fetcher,
        settings.data_dir.absolute() / "git",
        sealer,
        http=settings.git_http,
        megabytes=settings.git_megabytes,
        cache_megabytes=settings.git_cache_megabytes,
        author_name=settings.git_author_name or "Docstead",
        author_email=settings.git_author_email or f"docstead@{host}",
    )


def runner_of(settings: Settings) -> Runner:
    """What runs events of integrations, as the settings say."""
    allowance = allowance_of(settings.fetch_allow, settings.public_url)
    limits = ScriptLimits(
        cpu_milliseconds=settings.integration_cpu_milliseconds,
        wall_seconds=settings.integration_seconds,
        megabytes=settings.integration_megabytes,
        preparers=settings.integration_scripts_ready,
        events_at_once=settings.integration_events_at_once,
        unfiltered=settings.integration_unfiltered,
    )
    fetcher = ScriptFetcher(allowance, settings.client_address_header)
    return Runner(fetcher, limits, scripts=settings.integration_scripts)
