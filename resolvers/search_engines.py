"""Which search engine belongs to which database."""

from db.prepared import POSTGRESQL
from db.rows import SQLITE
from resolvers.search_postgresql import PostgresSearch
from resolvers.search_sqlite import SqliteSearch
from resolvers.search_words import SearchEngine

ENGINES: dict[str, SearchEngine] = {SQLITE: SqliteSearch(), POSTGRESQL: PostgresSearch()}
