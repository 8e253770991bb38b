// The flows in their order, each a function of `call` and of what the test says of the server.
export { buildTeam, invitePeople, manageMembers, manageSignOn, readPeople, shareContent } from "./people.js";
export { readContent, writeContent } from "./content.js";
export { organizeSpaces } from "./spaces.js";
export { reviewChanges } from "./reviews.js";
export { discuss } from "./comments.js";
export { buildSite } from "./sites.js";
export { visitSites } from "./visits.js";
export { describeApis, integrate, translate, uploadFonts } from "./integrations.js";
