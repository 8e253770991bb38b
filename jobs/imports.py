"""Imports as jobs (resolvers/imports/runs.py)."""

from dataclasses import replace

from jobs.kinds import Json, Work
from resolvers.core.runners import run
from resolvers.imports.operations import import_content
from resolvers.imports.runs import input_of, received_source


async def do_import(work: Work) -> Json | None:
    """Carry out an import run; the write of its revision ends the job."""
    arguments, access = work.arguments, work.ctx.import_access
    organization_id = work.lease.organization_id or ""
    received = await received_source(work.ctx, organization_id, arguments)
    work.ctx.imports = replace(access, budget=access.run_budget, received=received)
    await run(
        work.ctx,
        import_content,
        arguments["space"],
        input_of(arguments),
        arguments["changeRequest"],
        arguments["page"],
    )
    return None
