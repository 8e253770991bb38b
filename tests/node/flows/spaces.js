export async function organizeSpaces(call, { organization, other }) {
  const shelf = await call("createCollection", organization, { title: "Shelf" });
  const board = await call("createCollection", organization, { title: "Board", parent: shelf.id });
  await call("getCollectionById", board.id);
  await call("updateCollectionById", shelf.id, { title: "Shelves", description: "Of books" });
  await call("listCollectionsInOrganizationById", organization, { nested: true });
  const space = await call("createSpace", organization, { title: "Book", parent: shelf.id });
  await call("updateSpaceById", space.id, { title: "A book", icon: "https://icons.example/book.svg", defaultLevel: "read" });
  await call("updateSpaceById", space.id, { title: "A book", emoji: "1f4d7" });
  await call("listSpacesInCollectionById", shelf.id, { limit: 1 });
  const copy = await call("duplicateSpace", space.id);
  await call("moveSpace", copy.id, { parent: board.id });
  await call("moveSpace", copy.id, { parent: null });
  const pointer = { type: "collection", collection: shelf.id };
  await call("moveCollection", board.id, { parent: null, position: { before: pointer } });
  await call("transferSpace", copy.id, { organization: other });
  await call("transferCollection", board.id, { organization: other });
  await call("deleteSpaceById", space.id);
  await call("restoreSpace", space.id);
  await call("deleteSpaceById", space.id);
  await call("deleteSpaceById", "no-such-space");
  await call("deleteCollectionById", shelf.id);
  await call("deleteCollectionById", "no-such-collection");
}
