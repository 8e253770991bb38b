// Mercurius with JIT and loaders: `node mercurius.mjs PORT DATABASE_URL`.
//
// The types that the workloads select, one batched statement for each level (a lateral join for
// pages of many parents), prepared statements, no authentication and no access rule.
import Fastify from "fastify";
import mercurius from "mercurius";
import pg from "pg";

const [port, url] = process.argv.slice(2);

// "2026-01-01 00:00:00.123456+00": the server's time zone is UTC.
const milliseconds = (text) =>
  text[19] === "."
    ? `${text.slice(0, 10)}T${text.slice(11, text.length - 3).slice(0, 12).padEnd(12, "0")}Z`
    : `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z`;
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, milliseconds);

const pool = new pg.Pool({ connectionString: url, max: 10 });
const rows = async (name, text, values) => (await pool.query({ name, text, values })).rows;

const schema = /* GraphQL */ `
  scalar DateTime
  scalar JSONObject
  scalar URL
  type User { id: ID! displayName: String! photoURL: URL }
  type CommentBody { markdown: String! }
  type Comment {
    id: ID! postedAt: DateTime! editedAt: DateTime status: CommentStatus! body: CommentBody!
    postedBy: User!
  }
  type CommentConnection { nodes: [Comment!]! }
  type ChangeRequest {
    id: ID! number: Int! subject: String! status: ChangeRequestStatus! createdAt: DateTime!
    updatedAt: DateTime! comments(first: Int = 50): CommentConnection!
  }
  type ChangeRequestConnection { nodes: [ChangeRequest!]! }
  type Space {
    id: ID! title: String! emoji: String! createdAt: DateTime! updatedAt: DateTime!
    deletedAt: DateTime editMode: EditMode! language: Language defaultLevel: DefaultLevel
    mergeRules: JSONObject! position: String!
    changeRequests(first: Int = 50): ChangeRequestConnection!
  }
  type SpaceConnection { nodes: [Space!]! }
  type Organization { title: String! spaces(first: Int = 50): SpaceConnection! }
  enum EditMode { LIVE LOCKED }
  enum Language { EN FR DE ES IT PT PT_BR RU JA ZH }
  enum DefaultLevel { READ COMMENT EDIT REVIEW CREATE ADMIN INHERIT }
  enum ChangeRequestStatus { DRAFT OPEN ARCHIVED MERGED }
  enum CommentStatus { OPEN RESOLVED }
  type Query { space(id: ID!): Space organization(id: ID!): Organization }
`;

const SPACE = `id, title, emoji, created_at AS "createdAt", updated_at AS "updatedAt",
  deleted_at AS "deletedAt", edit_mode AS "editMode", language, default_level AS "defaultLevel",
  merge_rules AS "mergeRules", position, organization_id AS parent`;
const REQUEST = `id, number, subject, status, created_at AS "createdAt", updated_at AS "updatedAt",
  space_id AS parent`;
const COMMENT = `id, posted_at AS "postedAt", edited_at AS "editedAt", status,
  markdown, posted_by_id AS author,
  change_request_id AS parent`;

// The first rows of each parent. A batch has one `first`: aliases with others make further ones.
const pages = (name, columns, view, key, order, keep = (row) => row) => async (queries) => {
  const answers = new Array(queries.length);
  const batches = new Map();
  queries.forEach(({ obj, params }, index) => {
    if (!batches.has(params.first)) batches.set(params.first, []);
    batches.get(params.first).push({ id: obj.id, index });
  });
  for (const [first, batch] of batches) {
    const lists = new Map(batch.map(({ id }) => [id, []]));
    const text = `SELECT c.* FROM unnest($1::text[]) AS wanted(id) CROSS JOIN LATERAL (
      SELECT ${columns} FROM graph.${view} WHERE ${key} = wanted.id ORDER BY ${order} LIMIT $2) AS c`;
    for (const row of await rows(name, text, [[...lists.keys()], first])) {
      lists.get(row.parent).push(keep(row));
    }
    for (const { id, index } of batch) answers[index] = { nodes: lists.get(id) };
  }
  return answers;
};

const withBody = (row) => {
  row.body = { markdown: row.markdown };
  return row;
};

const loaders = {
  Organization: {
    spaces: {
      loader: pages("spaces", SPACE, "space", "organization_id", "id"),
      opts: { cache: false },
    },
  },
  Space: {
    changeRequests: {
      loader: pages("requests", REQUEST, "change_request", "space_id", "number DESC"),
      opts: { cache: false },
    },
  },
  ChangeRequest: {
    comments: {
      loader: pages("comments", COMMENT, "comment", "change_request_id", "id DESC", withBody),
      opts: { cache: false },
    },
  },
  Comment: {
    postedBy: {
      loader: async (queries) => {
        const text = `SELECT id, display_name AS "displayName", photo_url AS "photoURL"
          FROM graph.person WHERE id = ANY($1)`;
        const ids = [...new Set(queries.map(({ obj }) => obj.author))];
        const found = new Map((await rows("people", text, [ids])).map((row) => [row.id, row]));
        return queries.map(({ obj }) => found.get(obj.author));
      },
      opts: { cache: false },
    },
  },
};

const resolvers = {
  Query: {
    space: async (_, { id }) =>
      (await rows("space", `SELECT ${SPACE} FROM graph.space WHERE id = $1`, [id]))[0],
    organization: async (_, { id }) =>
      (await rows("organization", "SELECT id, title FROM graph.organization WHERE id = $1", [id]))[0],
  },
};

const app = Fastify();
app.register(mercurius, { schema, resolvers, loaders, jit: 1, graphiql: false });
await app.listen({ port: Number(port), host: "127.0.0.1" });
