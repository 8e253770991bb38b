import { createIntegration } from '@gitbook/runtime';

const HOUR = 3600;

export default createIntegration({
    // Somebody wants to read and has no token: they are sent to the form below.
    fetch_visitor_authentication: async (event, { environment }) => {
        const { siteInstallation } = environment;
        const form = new URL(`${siteInstallation.urls.publicEndpoint}/sign-in`);
        form.searchParams.set('location', event.location ?? '/');
        return Response.redirect(form.toString(), 302);
    },

    fetch: async (request, { api, environment }) => {
        const { siteInstallation, installation, signingSecrets } = environment;
        const url = new URL(request.url);
        if (!siteInstallation || !url.pathname.endsWith('/sign-in')) {
            return new Response('Not found', { status: 404 });
        }
        const location = path(url.searchParams.get('location'));
        if (request.method !== 'POST') return page(location);
        const sent = new URLSearchParams(await request.text()).get('passphrase') ?? '';
        const { passphrase_token: passphrase } = siteInstallation.configuration;
        if (!(await same(sent, passphrase))) return page(location, true);
        const { data: site } = await api.orgs.getSiteById(
            installation.target.organization,
            siteInstallation.site,
        );
        const target = new URL(site.urls.published.replace(/\/$/, '') + location);
        const now = Math.floor(Date.now() / 1000);
        target.searchParams.set(
            'jwt_token',
            await sign({ iat: now, exp: now + HOUR }, signingSecrets.siteInstallation),
        );
        return Response.redirect(target.toString(), 303);
    },
});

// Only a path of the site: never another host.
function path(location) {
    return /^\/(?![/\\])/.test(location ?? '') ? location : '/';
}

function page(location, wrong = false) {
    const action = `?location=${encodeURIComponent(location)}`;
    const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Sign in</title><h1>Sign in</h1>${wrong ? '<p role="alert">That is not the passphrase.</p>' : ''}
<form method="post" action="${action}"><label>Passphrase <input type="password" name="passphrase"
autocomplete="current-password" required></label> <button>Sign in</button></form></html>`;
    return new Response(html, {
        status: wrong ? 403 : 200,
        headers: { 'Content-Type': 'text/html; charset=utf-8' },
    });
}

// Both as digests, so that no time says how much of it is right.
async function same(left, right) {
    const [one, two] = await Promise.all([left, right].map(digest));
    return one.reduce((different, byte, index) => different | (byte ^ two[index]), 0) === 0;
}

async function digest(text) {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

async function sign(claims, secret) {
    const encoder = new TextEncoder();
    const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
        base64url(encoder.encode(JSON.stringify(part))),
    );
    const key = await crypto.subtle.importKey(
        'raw',
        encoder.encode(secret),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign'],
    );
    const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(parts.join('.')));
    return [...parts, base64url(new Uint8Array(signature))].join('.');
}

function base64url(bytes) {
    return btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
}
