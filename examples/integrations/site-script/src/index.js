import { createIntegration } from '@gitbook/runtime';

import script from './counter.raw.js';

export default createIntegration({
    fetch_published_script: async (event, { environment }) => {
        const { label } = environment.siteInstallation?.configuration ?? {};
        if (!label) return;
        return new Response(script.replace('"<LABEL>"', () => JSON.stringify(label)), {
            headers: {
                'Content-Type': 'application/javascript',
                'Cache-Control': 'max-age=3600',
            },
        });
    },
});
