"""What the server says of itself."""

from dataclasses import dataclass
from importlib.metadata import version

from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.policy_asked import policy_was_asked

BUILD = version("docstead")


@dataclass(frozen=True, slots=True)
class ApiInformation:
    """The version of the interface, and that of this server."""

    version: str
    build: str


@operation(open_to_all=True)
async def get_api_information(ctx: Context) -> ApiInformation:
    """Which interface this is, and the version of the server; no token is needed."""
    # There is nothing that anybody may not know.
    policy_was_asked()
    return ApiInformation(version="v1", build=BUILD)
