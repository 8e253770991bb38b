import { document } from "./reviews.js";

const FORMS = [{}, { format: "document" }, { format: "markdown" }];

// The same in a space and in a change request, whose operations have names of their own.
export async function discuss(call, { everyKind, callerWith }) {
  const own = callerWith(everyKind.token);
  const { space, page } = everyKind;
  await talk(own, "InSpace", [space], page);
  const request = await own("createChangeRequest", space, { subject: "To discuss" });
  await talk(own, "InChangeRequest", [space, request.id], page);
}

async function talk(call, place, ids, page) {
  const comment = await call(`postComment${place}`, ...ids, { page, body: document("Is **it** so?") });
  await call(`postComment${place}`, ...ids, { body: document("On no page") });
  await call(`updateComment${place}`, ...ids, comment.id, { body: document("It is not.") });
  const on = [...ids, comment.id];
  const reply = await call(`postCommentReply${place}`, ...on, { body: document("Yes: `it` is.") });
  await call(`updateCommentReply${place}`, ...on, reply.id, { body: document("Yes.") });
  for (const form of FORMS) {
    await call(`listComments${place}`, ...ids, form);
    await call(`getComment${place}`, ...on, form);
    await call(`listCommentReplies${place}`, ...on, form);
    await call(`getCommentReply${place}`, ...on, reply.id, form);
  }
  await call(`listCommenters${place}`, ...ids);
  await call(`updateComment${place}`, ...on, { resolved: true });
  await call(`listComments${place}`, ...ids, { status: "all" });
  await call(`deleteCommentReply${place}`, ...on, reply.id);
  await call(`deleteCommentReply${place}`, ...on, reply.id);
  await call(`deleteComment${place}`, ...on);
  await call(`deleteComment${place}`, ...on);
}
