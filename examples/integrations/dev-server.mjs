// Runs a bundled integration on this machine: node dev-server.mjs BUNDLE [PORT]
// Docstead sends the events of an integration in development mode here. The bundle is read anew
// for each event, so a change needs no restart.

import { createServer } from 'node:http';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [bundle, port = '8787'] = process.argv.slice(2);
const file = resolve(bundle);

createServer(async (incoming, outgoing) => {
    try {
        const body = [];
        for await (const piece of incoming) body.push(piece);
        const { mtimeMs } = await stat(file);
        const { default: handler } = await import(`${pathToFileURL(file)}?${mtimeMs}`);
        const request = new Request(`http://127.0.0.1:${port}${incoming.url}`, {
            method: incoming.method,
            headers: incoming.headers,
            body: ['GET', 'HEAD'].includes(incoming.method) ? undefined : Buffer.concat(body),
        });
        const postponed = [];
        const answer = await handler.fetch(request, {}, { waitUntil: (work) => postponed.push(work) });
        outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
        outgoing.end(Buffer.from(await answer.arrayBuffer()));
        await Promise.allSettled(postponed);
    } catch (error) {
        console.error(error);
        if (!outgoing.headersSent) outgoing.writeHead(500);
        outgoing.end(String(error));
    }
}).listen(Number(port), '127.0.0.1', () => console.log(`events go to http://127.0.0.1:${port}`));
