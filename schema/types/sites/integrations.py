"""Integrations on docs sites."""

import strawberry

from resolvers.core.scalars import Url
from schema.wiring import column


@strawberry.type(description="An integration that is installed.")
class Integration:
    name: str = column("Its name, which is unique.")
    title: str = column("What people call it.")
    version: int = column("Number of its version.")
    description: str | None = column("What it is, in a sentence.")
    summary: str | None = column("What it is, in Markdown.")


@strawberry.type(description="A script that an integration adds to the pages of a site.")
class SiteIntegrationScript:
    script: Url = column("Address of the script.")
    content_security_policy: str | None = column("What the script has to be allowed.")
    cookies: bool = column("Whether it sets cookies.")
