/** Emoji as the graph names them: by the code points of their characters, in hexadecimal. */

const CODES = /^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*$/iu;

export function emojiOf(code: string | null | undefined): string | null {
  if (!code) return null;
  if (!CODES.test(code)) return code;
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : null;
}
