#!/usr/bin/env node
// In place of the program that opens a tunnel by way of another company: the address that it says is
// one of this machine, and what comes there is handed on.

import fs from "node:fs";
import http from "node:http";
import https from "node:https";

const NAME = "/x.trycloudflare.com";
const target = new URL(process.argv[process.argv.indexOf("--url") + 1]);
const pem = fs.readFileSync(process.env.TUNNEL_PEM);
const server = https.createServer({ key: pem, cert: pem }, (incoming, outgoing) => {
  const path = incoming.url.replace(NAME, "") || "/";
  const { method, headers } = incoming;
  const inner = http.request({ host: "127.0.0.1", port: target.port, path, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  inner.on("error", () => outgoing.destroy());
  incoming.pipe(inner);
});
server.listen(Number(process.env.TUNNEL_PORT), "127.0.0.1", () => {
  console.error(`https://localhost:${process.env.TUNNEL_PORT}${NAME}`);
  console.error("Registered tunnel");
});
