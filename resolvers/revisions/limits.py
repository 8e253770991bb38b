"""Bounds of what one space holds and of what one write may ask for."""

from content.documents import limits as document_limits

PAGES = 10_000
FILES = 20_000
REUSABLE_CONTENTS = 5_000
# Those that the configuration of a space sets, not those of pages that moved.
REDIRECTS = 5_000
# Every revision holds all variables of its space.
VARIABLES = 1_000
DEPTH = 100
OPERATIONS = 200
# Keys of one edit that deletes or moves blocks: all are found in one walk of the body.
BLOCK_KEYS = 1_000
# Blocks that one operation takes back: each is a walk or more of the body.
REVERTED_BLOCKS = 100
TITLE = 255
DESCRIPTION = 300
NAME = 255
CONDITION = 1024
# Characters of the Markdown of one body; content/documents/limits.py has all limits of one.
BODY = document_limits.CHARACTERS
# Nodes (blocks, links, pieces of text) that the Markdown of one write makes.
NODES = document_limits.NODES
# Characters of the bodies that both sides of a merge have changed: those of the common base, the
# change request and the space together.
MERGED = 12_000_000
# Conflicts that one merge leaves to be resolved.
CONFLICTS = 10_000
# Sort keys of siblings are spread anew when one becomes longer than this.
KEY = 120
FILE_BYTES = 100 * 1024 * 1024
