"""The root of mutations: one line per operation. Each is one transaction."""

import strawberry

import resolvers.organizations
import resolvers.site_space_moves
import resolvers.site_spaces
import resolvers.sites
import resolvers.users
from schema.types.people import Organization, User
from schema.types.sites import Site, SiteSpace
from schema.wiring import mutation


@strawberry.type(description="Everything that can be changed; each field is one transaction.")
class Mutation:
    update_user: User = mutation(resolvers.users.update_user)
    update_organization: Organization = mutation(resolvers.organizations.update_organization)
    create_site: Site = mutation(resolvers.sites.create_site)
    update_site: Site = mutation(resolvers.sites.update_site)
    delete_site: bool = mutation(resolvers.sites.delete_site)
    add_site_space: SiteSpace = mutation(resolvers.site_spaces.add_site_space)
    update_site_space: SiteSpace = mutation(resolvers.site_spaces.update_site_space)
    delete_site_space: bool = mutation(resolvers.site_spaces.delete_site_space)
    move_site_space: SiteSpace = mutation(resolvers.site_space_moves.move_site_space)
