"""Sessions of people in browsers."""

import datetime as dt

import strawberry

from db.enums import SignInMethod
from db.models import sign_in as models
from resolvers.sign_in import operations as sign_in
from schema.node import Node
from schema.wiring import batch, column, source_rows


@strawberry.type(description="A browser in which you are signed in.")
class UserSession(Node):
    is_type_of = source_rows(models.UserSession)
    current: bool = batch(sign_in.are_current, "Whether the request comes from it.")
    device: str = batch(
        sign_in.devices, "Browser and system, as far as the browser says them: Firefox on Linux."
    )
    user_agent: str = column("What the browser says of itself, at most 400 characters.")
    method: SignInMethod = column("How you have signed in.")
    created_at: dt.datetime = column("When you have signed in.")
    last_used_at: dt.datetime = column("When it was last used, written down within a minute.")
    expires_at: dt.datetime = batch(
        sign_in.expiry_times, "When it ends unless it is used again: 30 days after its last use."
    )
