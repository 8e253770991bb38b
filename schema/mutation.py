"""The root of mutations: one line per operation. Each is one transaction."""

import strawberry

import resolvers.organizations
import resolvers.users
from schema.types.people import Organization, User
from schema.wiring import mutation


@strawberry.type(description="Everything that can be changed; each field is one transaction.")
class Mutation:
    update_user: User = mutation(resolvers.users.update_user)
    update_organization: Organization = mutation(resolvers.organizations.update_organization)
