"""Writing the redirects of a configuration, and the variables of a space."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from content.errors import SlugError
from content.git.config import GitConfig, bare
from content.git.path_links import link_path
from content.json_types import JsonObject
from content.links.redirect_paths import old_path_key
from content.pages.front_matter import fits_variable
from content.pages.yaml_edits import edit_yaml
from content.safe_yaml import load_yaml

# What an old path leads to: a page, and perhaps a heading of it.
Leads = tuple[str, str | None]


def with_variables(text: str, variables: JsonObject) -> str:
    """The text of the variables of a space; those that nobody can read stay."""
    raw = load_yaml(text, "")
    values: JsonObject = {}
    for name, value in raw.items() if isinstance(raw, dict) else ():
        if not fits_variable(name, value):
            values[name] = value
        elif name in variables:
            values[name] = variables[name]
    return edit_yaml(text, {**values, **variables})


class RedirectWriter:
    """Writes redirects of a configuration: `leads_of` are those that are to be, by old paths as
    they are compared. Pages are ids by the paths of their files now, and paths of their files by
    id."""

    def __init__(
        self,
        config: GitConfig,
        leads_of: Mapping[str, Leads],
        old_page_at: Mapping[str, str],
        paths: Mapping[str, str],
    ) -> None:
        self.warnings: list[str] = []
        self._config = config
        self._written = config.redirects
        self._wanted = leads_of
        self._old_page_at = old_page_at
        self._paths = paths
        self._page_at = {path: id for id, path in paths.items()}

    def write(self, text: str) -> str:
        """The text of the configuration; redirects that lead nowhere stay as they are.

        Of several with one path, as they are compared, the first counts. The others stay beside it,
        and follow the pages that they name.
        """
        counting: dict[str, Leads] = {}
        redirects: JsonObject = {}
        for old, target in self._written.items():
            key, leads = self._key(old), self._leads(target, self._old_page_at)
            if key is None or leads is None:
                redirects[old] = target
                continue
            now = self._wanted.get(key)
            if now is None:
                self.warnings.append(
                    f"the redirect from '{old[:200]}' to '{target[:200]}' is deleted, for the "
                    "space has none from there"
                )
                continue
            if counting.setdefault(key, leads) != leads:
                now = leads
            same = self._leads(target, self._page_at) == now
            redirects[old] = target if same else self._target(now) or target
        for key, now in self._wanted.items():
            if key in counting:
                continue
            written = self._target(now)
            if written is None:
                self.warnings.append(
                    f"the redirect from '{key[:200]}' is left out, its page has no file"
                )
            else:
                redirects[key] = written
        if redirects == dict(self._written):
            return text
        raw = load_yaml(text, "")
        values: JsonObject = dict(raw) if isinstance(raw, dict) else {}
        key = next((key for key in ("redirects", *values) if bare(key) == "redirects"
                    and key in values), "redirects")  # fmt: skip
        values.pop(key, None)
        return edit_yaml(text, {**values, **({key: redirects} if redirects else {})})

    def _key(self, old: str) -> str | None:
        try:
            return old_path_key(old)
        except SlugError:
            return None

    def _leads(self, target: str, page_at: Mapping[str, str]) -> Leads | None:
        file = self._config.redirected(target)
        id = None if file is None else page_at.get(file[0])
        return None if id is None or file is None else (id, file[1] or None)

    def _target(self, leads: Leads) -> str | None:
        path = self._paths.get(leads[0])
        if path is None:
            return None
        link = link_path(posixpath.relpath(path, self._config.folder or "."))
        return link + (f"#{leads[1]}" if leads[1] else "")
