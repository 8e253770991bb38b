// What Node answers to snippets of JavaScript, as JSON; they come as a list on the standard input.

import { readFileSync } from "node:fs";

globalThis.fetch = async (input, init) => {
  new Request(input, init).signal.throwIfAborted();
  return new Response("fetched");
};
const answers = [];
for (const snippet of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    answers.push(JSON.stringify(await eval(`(async () => (${snippet}))()`)) ?? "undefined");
  } catch (error) {
    answers.push(`throws ${error.name}`);
  }
}
console.log(JSON.stringify(answers));
