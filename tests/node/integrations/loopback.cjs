// Loaded before a program of somebody else's: it reaches this machine and nothing beyond.
const dns = require("node:dns");
const net = require("node:net");

const LOCAL = new Set(["localhost", "127.0.0.1", "::1", "0.0.0.0"]);
const refuse = (host) => new Error(`a test reaches nothing but this machine: ${host}`);

const { lookup } = dns;
dns.lookup = function (host, ...rest) {
  if (LOCAL.has(host)) return lookup.call(dns, host, ...rest);
  rest.at(-1)(refuse(host));
};
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...values) {
  const [options] = Array.isArray(values[0]) ? values[0] : values;
  const host = options?.host ?? (typeof values[1] === "string" ? values[1] : "localhost");
  if (!options?.path && !LOCAL.has(host)) throw refuse(host);
  return connect.apply(this, values);
};
