import { createIntegration } from '@gitbook/runtime';

const DEFAULT = 'Thank you. Somebody will look at it soon.';

export default createIntegration({
    events: {
        // An event of Docstead: the published contract has none of change requests.
        change_request_opened: async (event, { api, environment }) => {
            const { message = DEFAULT } = environment.spaceInstallation?.configuration ?? {};
            // An event may come twice. Whoever was greeted has a comment of ours already.
            const { data: comments } = await api.spaces.listCommentsInChangeRequest(
                event.spaceId,
                event.changeRequestId,
            );
            if (comments.items.some((comment) => text(comment).includes(message))) return;
            await api.spaces.postCommentInChangeRequest(event.spaceId, event.changeRequestId, {
                body: { markdown: message },
            });
        },
    },
});

function text(comment) {
    return JSON.stringify(comment.body ?? '');
}
