// Evaluates expressions as JavaScript: standard input holds {context, expressions} as JSON, standard
// output an array of [kind, text of the value], where kind is what typeof says, or "error".
import { readFileSync } from 'node:fs';

const { context, expressions } = JSON.parse(readFileSync(0, 'utf8'));
const names = Object.keys(context);
const answers = expressions.map((expression) => {
  try {
    const value = new Function(...names, `"use strict"; return (${expression});`)(
      ...Object.values(context),
    );
    return [typeof value, typeof value === 'object' ? JSON.stringify(value) : String(value)];
  } catch {
    return ['error', ''];
  }
});
process.stdout.write(JSON.stringify(answers));
