"""A server that sends mail."""

from dataclasses import replace

import pytest

from tests.conftest import Api


@pytest.fixture
def mailing(api: Api) -> Api:
    """A server with a mail server; what it would send waits in the database."""
    api.server.resolver_settings = replace(api.server.resolver_settings, sends_mail=True)
    return api
