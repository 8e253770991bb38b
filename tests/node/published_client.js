// Drives a server through the published client, unmodified, and prints every exchange as JSON.
//
//   node published_client.js PACKAGE < {"base", "token", "files"}
//
// A flow calls operations by their ids; those that the client's release does not have are left
// out. The caller validates the answers and says which operations have to be among them.
import * as flows from "./flows/all.js";

const { GitBookAPI } = await import(process.argv[2]);
const input = JSON.parse(await new Response(process.stdin).text());
const exchanges = [];

export function clientOf(token) {
  const api = new GitBookAPI({
    endpoint: input.base,
    authToken: token,
    serviceBinding: { fetch: recorded },
  });
  const methods = new Map();
  for (const [name, group] of Object.entries(api)) {
    if (typeof group === "function") methods.set(name.toLowerCase(), group.bind(api));
    if (group === null || typeof group !== "object") continue;
    for (const [name, method] of Object.entries(group)) {
      if (typeof method === "function") methods.set(name.toLowerCase(), method.bind(group));
    }
  }
  return methods;
}

let current = null;

async function recorded(...request) {
  const response = await fetch(...request);
  const text = await response.clone().text();
  const type = response.headers.get("content-type") ?? "";
  const json = type.includes("json") && text !== "";
  exchanges.push({
    operation: current,
    method: request[1]?.method ?? "GET",
    url: String(request[0]),
    status: response.status,
    type,
    body: json ? JSON.parse(text) : null,
  });
  return response;
}

// Calls one after the other: the name of the operation is that of the running call.
function callerWith(token) {
  const methods = clientOf(token);
  return async function call(operation, ...values) {
    const method = methods.get(operation.toLowerCase());
    if (method === undefined) return undefined;
    current = operation;
    const { data } = await method(...values);
    return data;
  };
}

const failures = [];
const call = callerWith(input.token);
for (const [name, flow] of Object.entries(flows)) {
  try {
    await flow(call, { ...input, callerWith });
  } catch (error) {
    failures.push(`${name}: ${current}: ${error.stack}`);
  }
}
console.log(JSON.stringify({ exchanges, failures }));
