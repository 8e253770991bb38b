// Runs every audit of graphql-http against one URL and prints the results as JSON.
import { serverAudits } from 'graphql-http';

const url = process.argv[2];
const results = [];
for (const audit of serverAudits({ url })) {
  const result = await audit.fn();
  results.push({ id: audit.id, name: audit.name, status: result.status, reason: result.reason ?? null });
}
console.log(JSON.stringify(results));
