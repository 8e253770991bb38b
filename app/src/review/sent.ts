/** What is left of a text once a part of it was sent: somebody may have gone on writing meanwhile. */
export const behind = (text: string, sent: string): string =>
  text === sent ? '' : text.startsWith(sent) ? text.slice(sent.length).trimStart() : text;
