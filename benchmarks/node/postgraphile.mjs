// PostGraphile 5 on the views of views.sql: `node postgraphile.mjs PORT DATABASE_URL`.
//
// Its own plans and its own HTTP server, without authentication. Two plugins give the answers the
// product's form: times with milliseconds and Z, and the text of a comment inside `body`.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { grafserv } from "postgraphile/grafserv/node";
import { postgraphile } from "postgraphile";
import { extendSchema } from "postgraphile/utils";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const [port, url] = process.argv.slice(2);

const Times = {
  name: "MillisecondTimes",
  version: "1.0.0",
  schema: {
    hooks: {
      GraphQLScalarType(config, build, context) {
        if (context.Self?.name !== "Datetime" && config.name !== "Datetime") return config;
        // "2026-01-01T00:00:00.000000+00:00": the server's time zone is UTC.
        const withFraction = (text) =>
          text[19] === "." ? text.slice(0, 23) + "Z" : text.slice(0, 19) + ".000Z";
        return { ...config, serialize: withFraction };
      },
    },
  },
};

const Bodies = extendSchema((build) => ({
  typeDefs: /* GraphQL */ `
    type CommentBody { markdown: String! }
    extend type Comment { body: CommentBody! }
  `,
  objects: {
    Comment: { plans: { body: ($comment) => $comment } },
    CommentBody: { plans: { markdown: ($comment) => $comment.get("markdown") } },
  },
}));

const preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [Times, Bodies],
  disablePlugins: ["NodePlugin"],
  pgServices: [
    makePgService({ connectionString: url, schemas: ["graph"], poolConfig: { max: 10 } }),
  ],
  schema: { dynamicJson: true },
  grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false, maxRequestLength: 100_000 },
  grafast: { explain: false },
};

const pgl = postgraphile(preset);
const server = createServer();
await pgl.createServ(grafserv).addTo(server);
if (process.env.PRINT_SCHEMA) {
  const { printSchema } = createRequire(import.meta.url)("graphql");
  console.log(printSchema((await pgl.getSchemaResult()).schema));
}
server.listen(Number(port), "127.0.0.1");
