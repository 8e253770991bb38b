export async function reviewChanges(call, { everyKind, callerWith }) {
  const { space, reviewer, token, reviewerToken } = everyKind;
  const [own, other] = [callerWith(token), callerWith(reviewerToken)];
  const request = await own("createChangeRequest", space, { subject: "A change" });
  const id = request.id;
  await own("updateChangeRequestById", space, id, { subject: "A better change", status: "open" });
  await own("updateChangeRequestById", space, id, { description: tree("What and why") });
  await own("requestReviewersForChangeRequest", space, id, { users: [reviewer] });
  await own("getRequestedReviewersByChangeRequestId", space, id);
  await other("submitChangeRequestReview", space, id, { status: "changes-requested" });
  const comment = { document: tree("Well done") };
  await other("submitChangeRequestReview", space, id, { status: "approved", comment });
  await own("getReviewsByChangeRequestId", space, id);
  await own("requestReviewersForChangeRequest", space, id, { users: [reviewer], subject: "Again" });
  await own("removeRequestedReviewerFromChangeRequest", space, id, reviewer);
  await own("removeRequestedReviewerFromChangeRequest", space, id, reviewer);
  await own("updateChangeRequest", space, id);
  await own("mergeChangeRequest", space, id);
  await own("getChangeRequestById", space, id);
  const merged = await own("getCurrentRevision", space);
  await own("getRevisionSemanticChanges", space, merged.id);
}

export function document(markdown) {
  return { markdown };
}

// A JSON document of one paragraph.
function tree(text) {
  const leaf = { object: "leaf", text, marks: [] };
  const node = { object: "text", leaves: [leaf] };
  const paragraph = { object: "block", type: "paragraph", isVoid: false, data: {}, nodes: [node] };
  return { object: "document", data: {}, nodes: [paragraph] };
}
