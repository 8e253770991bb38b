"""Who may read what, written out as SQL: the rule of resolvers/access/policy.py for a person.

`$1` is the caller's id everywhere. The text is PostgreSQL's; `of_sqlite` gives SQLite's.
"""

from db.enums import DefaultLevel

GRANTED = """
    SELECT {target} AS id,
      coalesce(max(CASE WHEN user_id IS NOT NULL THEN role END), max(role)) AS rank
    FROM access_grant
    WHERE {target} IS NOT NULL AND (user_id = $1
      OR team_id IN (SELECT team_id FROM team_member WHERE user_id = $1))
    GROUP BY {target}"""

# What decides about the rows of `space AS s`.
ACCESS = f"""
JOIN member AS m ON m.organization_id = s.organization_id AND m.user_id = $1
  AND m.disabled IS FALSE
LEFT JOIN ({GRANTED.format(target="space_id")}
  ) AS own ON own.id = s.id
LEFT JOIN collection AS parent ON parent.id = s.parent_id
LEFT JOIN (
    SELECT a.collection_id AS id, max(c.depth * 8 + g.rank) % 8 AS rank,
      max(c.depth * 8 + g.rank) / 8 AS depth, max(CASE WHEN g.rank > 0 THEN 1 ELSE 0 END) AS held
    FROM ({GRANTED.format(target="collection_id")}
    ) AS g
    JOIN collection AS c ON c.id = g.id
    JOIN collection_ancestor AS a ON a.ancestor_id = g.id
    GROUP BY a.collection_id
  ) AS inherited ON inherited.id = s.parent_id"""

RANK = """CASE
  WHEN m.role = 6 THEN 6
  WHEN own.rank IS NOT NULL THEN own.rank
  WHEN s.default_level >= 0 AND (m.role > 0 OR inherited.held = 1) THEN s.default_level
  WHEN s.parent_id IS NOT NULL THEN CASE
    WHEN inherited.depth >= coalesce(parent.level_depth, -1) THEN inherited.rank
    WHEN parent.level_rank IS NOT NULL AND (m.role > 0 OR inherited.held = 1)
      THEN parent.level_rank
    ELSE m.role END
  ELSE m.role END"""

# A list of spaces; what belongs to a space; one space, which may be in the bin for a week.
LISTED = f"{RANK} >= 1 AND s.deleted_at IS NULL"
FOLLOWS = f"{RANK} >= 1 AND (s.deleted_at IS NULL OR {RANK} >= 5)"
FOUND = f"""{RANK} >= 1 AND (s.deleted_at IS NULL
  OR ({RANK} >= 5 AND s.deleted_at >= now() - interval '7 days'))"""

TOKEN = "SELECT user_id, scopes, expires_at, revoked_at FROM api_token WHERE digest = $1"
ORGANIZATION = """SELECT o.title FROM organization AS o
JOIN member AS m ON m.organization_id = o.id AND m.user_id = $1 AND m.disabled IS FALSE
WHERE o.id = $2"""

LEVELS: dict[int, str | None] = {0: None} | {level.rank: level.name for level in DefaultLevel}
LEVEL_NAME = (
    "CASE s.default_level "
    + " ".join(f"WHEN {rank} THEN '{name}'" for rank, name in LEVELS.items() if name)
    + " END"
)


def of_sqlite(statement: str) -> str:
    """The same statement for SQLite."""
    return statement.replace("now() - interval '7 days'", "datetime('now', '-7 days')").replace(
        "$", "?"
    )
