"""The search engine of each database."""

from db.prepared import POSTGRESQL
from db.rows import SQLITE
from resolvers.search.postgresql import PostgresSearch
from resolvers.search.sqlite import SqliteSearch
from resolvers.search.words import SearchEngine

ENGINES: dict[str, SearchEngine] = {SQLITE: SqliteSearch(), POSTGRESQL: PostgresSearch()}
