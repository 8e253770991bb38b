"""What processes of `tests.forked` find imported and made."""

import gc
from importlib import import_module

from docstead.garbage import forget_first_classes

# What is imported stays.
gc.disable()
MODULES = (
    "docstead.asgi",
    "docstead.commands.jobs",
    "docstead.commands.serve",
    "docstead.server_process",
    "tests.git.clone_process",
    "tests.git.worker_process",
    "tests.idempotent_process",
    "tests.jobs.chaos_process",
    "tests.jobs.delivering_process",
    "tests.merge_process",
    "tests.writing_process",
)

for name in MODULES:
    import_module(name)
schema = import_module("schema.build").build_schema()
import_module("schema.execution").engine_of(schema)
import_module("rest_compat.app").v1_routes()
# A server that has started looks through all that there is for garbage (docstead/garbage.py): half
# a second of a processor, and a copy of each page of memory. Here it is done once for all of them:
# what is frozen stays so, and each looks through what it has made itself.
forget_first_classes()
gc.collect()
gc.freeze()
gc.unfreeze = lambda: None
gc.enable()
