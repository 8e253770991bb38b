// Checks pages with html-validate: JSON of pages by name on standard input, what is wrong as JSON.
import { HtmlValidate, StaticConfigLoader } from 'html-validate';

const loader = new StaticConfigLoader({
  extends: ['html-validate:recommended'],
  rules: {
    'doctype-style': ['error', { style: 'lowercase' }],
    // Anchors of headings are what links of before lead to: in any script, with dots.
    'valid-id': ['error', { relaxed: true }],
    // Titles are their authors'; texts may end with blanks.
    'long-title': 'off',
    'no-trailing-whitespace': 'off',
  },
});
let input = '';
for await (const part of process.stdin) input += part;
const wrong = [];
for (const [name, html] of Object.entries(JSON.parse(input))) {
  const report = await new HtmlValidate(loader).validateString(html);
  for (const { messages } of report.results)
    for (const { ruleId, message, offset } of messages)
      wrong.push([name, ruleId, message, html.slice(Math.max(0, offset - 60), offset + 80)]);
}
console.log(JSON.stringify(wrong));
