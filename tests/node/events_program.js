// The socket of subscriptions as docs/front-ends.md opens it; it answers queries, too.
const [folder, url, token] = process.argv.slice(2);
const { events } = await import(`${folder}/events.js`);
const socket = events(url, token);
const result = await new Promise((resolve, reject) => {
  socket.subscribe({ query: '{ viewer { id } }' }, { next: resolve, error: reject, complete() {} });
});
await socket.dispose();
process.stdout.write(JSON.stringify(result.data));
process.exit(0);
