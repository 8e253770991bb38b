// Runs every audit of graphql-http against one URL and prints the results as JSON. The audits know
// of no credentials, so a token, if one is given, is added to each of their requests.
import { serverAudits } from 'graphql-http';

const [, , url, token] = process.argv;
const fetchFn = (input, init = {}) =>
  fetch(input, token ? { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } } : init);
const results = [];
for (const audit of serverAudits({ url, fetchFn })) {
  const result = await audit.fn();
  results.push({ id: audit.id, name: audit.name, status: result.status, reason: result.reason ?? null });
}
console.log(JSON.stringify(results));
