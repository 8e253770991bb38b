"""Every setting, in one frozen object: from DOCSTEAD_* variables, overridden by flags.

An invalid setting stops the start with its name, its value and what is allowed.
"""

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from db.blobs import BlobStore, Bucket
from db.session import database_url
from docstead.graphql.trusted_documents import read_trusted
from docstead.http.origins import read_origins
from docstead.monitoring.logs import FORMATS, read_levels
from fetching.addresses import Allowance, host_name
from fetching.errors import FetchError
from fetching.smtp import MailServer, SmtpAddressError, read_sender
from fetching.translation.provider import KINDS, ProviderSettings
from resolvers.core.openid_providers import read_openid_providers

PREFIX = "DOCSTEAD_"


class SettingError(ValueError):
    """A setting with a value that is not allowed."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(f"{PREFIX}{name.upper()}: {value!r} is not allowed; {allowed}")


class UnknownSettingError(SettingError):
    """A variable that looks like a setting and is none."""

    def __init__(self, variable: str, names: Collection[str]) -> None:
        similar = get_close_matches(variable.removeprefix(PREFIX).lower(), names, n=2)
        variables = [PREFIX + name.upper() for name in similar or sorted(names)]
        if similar:
            advice = f"did you mean {' or '.join(variables)}?"
        else:
            advice = f"use {', '.join(variables)}"
        ValueError.__init__(self, f"{variable}: there is no such setting; {advice}")


def _setting(default: Any, description: str, **bounds: Any) -> Any:
    """A field; `low` and `high` bound numbers, `choices` texts, `secret` texts are never shown."""
    return field(default=default, metadata={"description": description, "high": 0, **bounds})


@dataclass(frozen=True, slots=True)
class Settings:
    """The installation's settings."""

    data_dir: Path = _setting(Path("data"), "folder of the embedded database and of files")
    database_url: str = _setting(
        "", "sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME; empty = SQLite in data_dir"
    )
    files_url: str = _setting(
        "", "bucket for files, s3://BUCKET/PREFIX; empty = the folder files in data_dir"
    )
    s3_endpoint: str = _setting("", "address of the server of that bucket; empty = Amazon S3")
    s3_region: str = _setting("us-east-1", "region of that bucket")
    public_url: str = _setting(
        "", "address under which people and clients reach the server; empty = http://HOST:PORT"
    )
    custom_hostname_target: str = _setting(
        "", "host that custom host names of sites must lead to; empty = that of public_url"
    )
    host: str = _setting("127.0.0.1", "address to listen on")
    port: int = _setting(8000, "port to listen on", low=0, high=65535)
    workers: int = _setting(1, "server processes", low=1, high=256)
    pool_size: int = _setting(
        10, "database connections of one process for reads, and as many for writes", low=1, high=200
    )
    page_size: int = _setting(50, "items of a page when a list gives no limit", low=1, high=1000)
    body_limit: int = _setting(10_000_000, "bytes of a request body", low=1_000, high=1_000_000_000)
    query_cost: int = _setting(
        10_000, "objects that one GraphQL operation may read", low=100, high=1_000_000
    )
    query_depth: int = _setting(20, "nesting of one GraphQL operation", low=5, high=100)
    request_seconds: int = _setting(30, "time that one request may take", low=1, high=600)
    merge_on_conflict: str = _setting(
        "hold",
        "what a merge does where both sides changed the same thing",
        choices=("hold", "apply"),
    )
    gc_threshold: int = _setting(
        50_000, "objects that may pile up before a garbage collection", low=500, high=1_000_000
    )
    fetch_allow: str = _setting(
        "", "HOST:PORT pairs, separated by commas, that may be fetched from wherever they are"
    )
    fetch_bytes: int = _setting(
        20_000_000, "bytes of one answer of another server", low=1_000, high=1_000_000_000
    )
    import_pages: int = _setting(20, "pages that one import takes", low=1, high=10_000)
    import_files: int = _setting(20, "files that one import takes", low=0, high=20_000)
    import_run_pages: int = _setting(
        5_000, "pages that an import takes which nobody waits for", low=1, high=10_000
    )
    import_run_files: int = _setting(
        10_000, "files that an import takes which nobody waits for", low=0, high=20_000
    )
    git_http: bool = _setting(
        False, "whether Git repositories may be reached by http, too, which sends passwords openly"
    )
    git_megabytes: int = _setting(
        500,
        "size of what one fetch of a Git repository brings, and of the files of Git LFS of an "
        "import",
        low=1,
        high=10_000,
    )
    git_cache_megabytes: int = _setting(
        5_000, "size of all clones of Git repositories in data_dir", low=10, high=1_000_000
    )
    git_author_name: str = _setting(
        "", "name of the author of commits of exports; empty = Docstead"
    )
    git_author_email: str = _setting(
        "", "address of the author of commits of exports; empty = docstead@ the public host"
    )
    secret_key: str = _setting(
        "", "seals secrets of others, such as passwords of repositories; empty = a key in data_dir",
        secret=True,
    )  # fmt: skip
    former_secret_keys: str = _setting(
        "", "keys before secret_key, separated by commas: what they have sealed still opens",
        secret=True,
    )  # fmt: skip
    integration_scripts: bool = _setting(
        True, "whether scripts of integrations run here; else only their endpoints get events"
    )
    integration_unfiltered: bool = _setting(
        False, "whether they also run where the kernel cannot filter their system calls"
    )
    integration_cpu_milliseconds: int = _setting(
        50, "computing time of a script for one event", low=5, high=60_000
    )
    integration_seconds: int = _setting(
        30, "time of one event of an integration, with all that it has postponed", low=1, high=300
    )
    integration_megabytes: int = _setting(128, "memory of a script for one event", low=16, high=900)
    integration_scripts_ready: int = _setting(
        8, "scripts that each process has ready, about 40 MB each", low=1, high=1_000
    )
    integration_events_at_once: int = _setting(
        8, "events of integrations that each process runs at once", low=1, high=1_000
    )
    jobs: bool = _setting(
        True, "whether server processes do jobs; else `docstead worker` has to do them"
    )
    jobs_at_once: int = _setting(4, "jobs that one process does at once", low=1, high=100)
    jobs_per_organization: int = _setting(
        4, "jobs of one organization that run at once, in all processes", low=1, high=1_000
    )
    introspection: bool = _setting(True, "whether the GraphQL schema may be read")
    page_cache_megabytes: int = _setting(
        64, "memory of each process for pages of sites that were rendered; 0 = none", low=0,
        high=100_000,
    )  # fmt: skip
    answer_cache_megabytes: int = _setting(
        32, "memory of each process for answers about content, as JSON; 0 = none", low=0,
        high=100_000,
    )  # fmt: skip
    compression: bool = _setting(
        True, "whether answers are compressed; not needed behind a proxy that does so"
    )
    openid_providers: str = _setting(
        "", "JSON file with the OpenID Connect providers of the server; empty = none"
    )
    cors_origins: str = _setting(
        "", "origins whose pages may call the interfaces with a token, by commas; * = all"
    )
    trusted_documents: str = _setting(
        "", "file or folder of the only GraphQL documents that are executed; empty = any document"
    )
    pdf_seconds: int = _setting(300, "time that making one PDF may take", low=1, high=3600)
    pdf_sheets: int = _setting(5_000, "sheets that one PDF may have", low=1, high=100_000)
    pdf_megabytes: int = _setting(
        2_000, "memory that making one PDF may take", low=500, high=100_000
    )
    client_address_header: str = _setting(
        "", "header in which the proxy says who the client is; empty = the connection says it"
    )
    client_address_hops: int = _setting(
        1, "proxies that have added an address to that header", low=1, high=10
    )
    events_per_address: int = _setting(
        600, "events a minute that one address may send without a token", low=0, high=1_000_000
    )
    events_per_site: int = _setting(
        12_000, "events of visitors a minute that one site takes", low=0, high=10_000_000
    )
    requests_per_token: int = _setting(
        1_000, "requests a minute with one token or session; 0 = any number", low=0, high=1_000_000
    )
    subscription_connections: int = _setting(
        100,
        "connections for subscriptions that one token or session may have; 0 = any number",
        low=0,
        high=100_000,
    )
    requests_per_address: int = _setting(
        60,
        "requests a minute that one address may send without a token; 0 = any number",
        low=0,
        high=1_000_000,
    )
    requests_at_once: int = _setting(
        200,
        "requests with one token or session that may come at once; 0 = all of a minute",
        low=0,
        high=1_000_000,
    )
    content_token_multiplier: int = _setting(
        20,
        "times as many requests and searches as of an address with one content token",
        low=1,
        high=10_000,
    )
    searches_per_caller: int = _setting(
        120, "searches a minute of one person or address; 0 = any number", low=0, high=1_000_000
    )
    writes_per_space: int = _setting(
        300,
        "writes a minute of one person in one space; 0 = any number",
        low=0,
        high=1_000_000,
    )
    limit_loopback: bool = _setting(
        False, "whether requests from this machine itself are limited, too"
    )
    insights_days: int = _setting(
        400, "days that events of visitors of sites are kept", low=1, high=3650
    )
    smtp_url: str = _setting(
        "", "mail server, smtp://USER:PASSWORD@HOST:PORT or smtps://…; empty = no mail is sent"
    )
    mail_from: str = _setting(
        "", "who mail is from, such as Docs <docs@example.com>; empty = docstead@ its public host"
    )
    translation_provider: str = _setting(
        "",
        "what translates spaces; empty = nothing does",
        choices=("", *KINDS),
    )
    translation_url: str = _setting(
        "", "address of an openai server, such as https://api.example.com/v1, or of LibreTranslate"
    )
    translation_key: str = _setting(
        "", "key of that server; empty = it needs none", secret=True, shortest=1
    )
    translation_model: str = _setting("", "model of an openai server")
    translation_command: str = _setting(
        "", "program that translates, with its arguments: JSON on its standard input and output"
    )
    translation_seconds: int = _setting(
        60, "time that one request to the translator may take", low=1, high=3600
    )
    translation_characters: int = _setting(
        4_000, "characters of the texts of one request to the translator", low=100, high=1_000_000
    )
    tracing: str = _setting(
        "off",
        "who may see what their GraphQL operations cost",
        choices=("off", "admins", "everybody"),
    )
    log_format: str = _setting("text", "form of the log", choices=FORMATS)
    log_levels: str = _setting(
        "", "LEVEL or LOGGER=LEVEL pairs, by commas; empty = warning,docstead.requests=info"
    )
    slow_statement_milliseconds: int = _setting(
        0, "time from which on a statement of the database is logged; 0 = none are", low=0,
        high=600_000,
    )  # fmt: skip
    metrics_token: str = _setting(
        "", "token that opens /metrics; empty = there is no such page", secret=True
    )

    @property
    def database(self) -> str:
        """The database URL, with the embedded default filled in."""
        return self.database_url or f"sqlite:///{self.data_dir.absolute() / 'docstead.sqlite3'}"

    @property
    def bucket(self) -> Bucket | None:
        """The bucket for files; None where they are in a folder."""
        if not self.files_url:
            return None
        return Bucket.read(self.files_url, self.s3_endpoint, self.s3_region)

    def open_blobs(self) -> BlobStore:
        """The bytes of files, wherever they are."""
        if self.bucket is not None:
            return BlobStore.in_bucket(self.bucket)
        return BlobStore.in_folder(self.data_dir / "files")

    @property
    def translation(self) -> ProviderSettings | None:
        """What translates; None when nothing does."""
        return ProviderSettings.read(
            self.translation_provider,
            self.translation_url,
            self.translation_key,
            self.translation_model,
            self.translation_command,
            self.translation_seconds,
            self.translation_characters,
        )

    @property
    def hostname_target(self) -> str:
        """The host that custom host names of sites have to lead to."""
        target = self.custom_hostname_target or urlsplit(self.public_url).hostname or ""
        return target.lower().rstrip(".")

    @property
    def mail_server(self) -> MailServer | None:
        """Where mail goes out, and who it is from; None when nothing is sent."""
        if not self.smtp_url:
            return None
        host = urlsplit(self.public_url).hostname or ""
        host = "localhost" if not host or ":" in host else host
        return MailServer.read(self.smtp_url, self.mail_from or f"Docstead <docstead@{host}>")


def load_settings(environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """Settings from the environment; flags that are not None win. SettingError names the fault."""
    environment = os.environ if environment is None else environment
    names = {setting.name for setting in fields(Settings)}
    for variable in environment:
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and not name.startswith("test_") and name not in names:
            raise UnknownSettingError(variable, names)
    values: dict[str, Any] = {}
    for setting in fields(Settings):
        flag = flags.get(setting.name)
        text = flag if flag is not None else environment.get(f"{PREFIX}{setting.name.upper()}")
        if text is not None:
            values[setting.name] = _read(setting, text)
    settings = Settings(**values)
    try:
        _ = settings.translation
    except ValueError as error:
        raise SettingError(
            "translation_provider", settings.translation_provider, str(error)
        ) from None
    return settings if settings.public_url else replace(settings, public_url=_own_url(settings))


def _own_url(settings: Settings) -> str:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{settings.port}"


def _read(setting: Any, value: Any) -> Any:
    name, default = setting.name, setting.default
    if isinstance(default, bool):
        texts = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
        if str(value).lower() not in texts:
            raise SettingError(name, value, "it must be true or false")
        return texts[str(value).lower()]
    if isinstance(default, int):
        low, high = setting.metadata["low"], setting.metadata["high"]
        try:
            number = int(str(value))
        except ValueError:
            raise SettingError(name, value, f"it must be a number from {low} to {high}") from None
        if not low <= number <= high:
            raise SettingError(name, value, f"it must be a number from {low} to {high}")
        return number
    if isinstance(default, Path):
        return Path(str(value)).expanduser()
    return _read_text(setting, str(value))


def _read_text(setting: Any, value: str) -> str:
    name, choices = setting.name, setting.metadata.get("choices")
    if choices and value not in choices:
        raise SettingError(name, value, f"use one of: {', '.join(choices)}")
    if setting.metadata.get("secret"):
        least = setting.metadata.get("shortest", 20)
        if value and (len(value) < least or not re.fullmatch("[!-~]+", value)):
            raise SettingError(
                name, "***", f"it must have {least} printable ASCII characters or more"
            )
    if name == "database_url" and value:
        try:
            database_url(value)
        except ValueError as error:
            raise SettingError(name, _without_password(value), str(error)) from None
    if name == "client_address_header" and not re.fullmatch(r"[A-Za-z0-9-]{0,64}", value):
        raise SettingError(name, value, "it must be the name of a header, such as X-Forwarded-For")
    if name == "fetch_allow":
        try:
            Allowance.read(value)
        except ValueError as error:
            raise SettingError(name, value, f"{error}; use HOST:PORT,HOST:PORT") from None
    if name == "cors_origins":
        try:
            read_origins(value)
        except ValueError as error:
            raise SettingError(
                name, value, f"{error}; use https://app.example.com,http://localhost:3000 or *"
            ) from None
    if name == "files_url" and value:
        try:
            Bucket.read(value, "", "")
        except ValueError as error:
            raise SettingError(name, value, str(error)) from None
    if name == "s3_region" and not re.fullmatch(r"[A-Za-z0-9-]{1,50}", value):
        raise SettingError(name, value, "it must be like eu-central-1")
    if name == "s3_endpoint" and value:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
            raise SettingError(
                name, _without_password(value), "it must be like https://s3.example.com"
            )
        return value.rstrip("/")
    if name == "log_levels":
        try:
            read_levels(value)
        except ValueError as error:
            raise SettingError(name, value, str(error)) from None
    if name == "openid_providers":
        try:
            read_openid_providers(value)
        except ValueError as error:
            raise SettingError(name, value, str(error)) from None
    if name == "trusted_documents" and value:
        trusted_documents(value)
    if name == "custom_hostname_target" and value:
        try:
            return host_name(value)
        except FetchError as error:
            raise SettingError(name, value, "it must be like sites.example.com") from error
    if name in {"smtp_url", "mail_from"} and value:
        try:
            if name == "mail_from":
                read_sender(value)
            else:
                MailServer.read(value, "docstead@localhost")
        except SmtpAddressError as error:
            raise SettingError(name, _without_password(value), str(error)) from None
    if name == "public_url" and value:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
            raise SettingError(name, value, "it must be like https://docs.example.com")
        return value.rstrip("/")
    return value


def trusted_documents(value: str) -> dict[str, str]:
    """The documents that the setting of this name means, by their names; SettingError for none."""
    try:
        return read_trusted(Path(value).expanduser())
    except ValueError as error:
        raise SettingError("trusted_documents", value, str(error)) from None


def _without_password(url: str) -> str:
    """The URL without what may be secret: who it signs in as, and its parameters."""
    head, at, tail = url.rpartition("@")
    shown = f"{head.partition('://')[0]}://***@{tail}" if at else url
    address, mark, _ = shown.partition("?")
    return f"{address}?***" if mark else address


def _shown(setting: Any, value: str) -> str:
    return "***" if value and setting.metadata.get("secret") else _without_password(value)


def described(settings: Settings) -> list[tuple[str, str, str]]:
    """Name, value (without secrets) and meaning of each setting, for `docstead doctor`."""
    return [
        (
            PREFIX + setting.name.upper(),
            _shown(setting, str(getattr(settings, setting.name))),
            setting.metadata["description"],
        )
        for setting in fields(settings)
    ]
