-- What the Node contenders read: the product's tables with GraphQL's names of enumeration values.
-- PostGraphile makes its schema of these views; the comments are the keys that views cannot have.
CREATE SCHEMA graph;

CREATE VIEW graph.organization AS SELECT id, title FROM public.organization;

CREATE VIEW graph.space AS
SELECT id, organization_id, title, emoji, created_at, updated_at, deleted_at,
  upper(edit_mode) AS edit_mode, upper(replace(language, '-', '_')) AS language,
  CASE default_level WHEN -1 THEN 'INHERIT' WHEN 1 THEN 'READ' WHEN 2 THEN 'COMMENT'
    WHEN 3 THEN 'EDIT' WHEN 4 THEN 'REVIEW' WHEN 5 THEN 'CREATE' WHEN 6 THEN 'ADMIN'
  END AS default_level,
  merge_rules, position
FROM public.space WHERE deleted_at IS NULL;

CREATE VIEW graph.change_request AS
SELECT id, space_id, number, subject, upper(status) AS status, created_at, updated_at
FROM public.change_request;

CREATE VIEW graph.comment AS
SELECT id, change_request_id, posted_by_id, posted_at, edited_at, upper(status) AS status, markdown
FROM public.comment WHERE parent_id IS NULL AND change_request_id IS NOT NULL;

CREATE VIEW graph.person AS SELECT id, display_name, photo_url FROM public.user_account;

COMMENT ON VIEW graph.organization IS E'@primaryKey id';
COMMENT ON VIEW graph.person IS E'@primaryKey id';
COMMENT ON VIEW graph.space IS
  E'@primaryKey id\n@foreignKey (organization_id) references graph.organization (id)';
COMMENT ON VIEW graph.change_request IS
  E'@primaryKey id\n@foreignKey (space_id) references graph.space (id)';
COMMENT ON VIEW graph.comment IS
  E'@primaryKey id\n@foreignKey (change_request_id) references graph.change_request (id)\n@foreignKey (posted_by_id) references graph.person (id)';
