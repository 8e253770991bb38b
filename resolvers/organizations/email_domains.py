"""Domains of addresses whose people may join an organization by themselves."""

from collections.abc import Sequence

from resolvers.core.errors import FieldError, Invalid

# Everybody can get an address there, so it says nothing about who somebody is.
_NAMES = (
    "aol.com duck.com fastmail.com free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de "
    "gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.fr icloud.com laposte.net "
    "libero.it live.com mac.com mail.com mail.ru mailbox.org me.com msn.com naver.com orange.fr "
    "outlook.com outlook.de outlook.fr pm.me posteo.de proton.me protonmail.com qq.com "
    "rocketmail.com seznam.cz t-online.de tutanota.com tuta.com web.de wp.pl yahoo.co.jp "
    "yahoo.co.uk yahoo.com yahoo.de yahoo.fr yandex.com yandex.ru ymail.com zoho.com 126.com "
    "163.com"
)
PUBLIC_PROVIDERS = frozenset(_NAMES.split())


def check_email_domains(domains: Sequence[str]) -> None:
    """Invalid names each domain at which everybody can get an address."""
    problems = tuple(
        FieldError(f"emailDomains[{index}]", f"everybody can get an address at {domain!r}")
        for index, domain in enumerate(domains)
        if domain.lower() in PUBLIC_PROVIDERS
    )
    if problems:
        shown = "; ".join(f"{problem.path}: {problem.message}" for problem in problems[:5])
        raise Invalid(f"{shown}; list domains of your own", problems)
