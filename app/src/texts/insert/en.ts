/** English texts of the menu that inserts blocks. */

export const en = {
  groups: { recent: 'Recently used', text: 'Text', media: 'Blocks and media', structure: 'Structure', references: 'From elsewhere' },
  fitting: 'What fits',
  about: {
    paragraph: 'Text as it is', heading1: 'Begins a chapter', heading2: 'Begins a section', heading3: 'Begins a smaller section',
    bullets: 'Points without an order', numbers: 'Points in their order', tasks: 'Points to tick off', quote: 'Words of somebody else',
    divider: 'A line between two parts', hint: 'A box for a note, a tip or a warning', code: 'Lines of a program, in colour', table: 'Rows and columns',
    image: 'A picture from your computer', drawing: 'A drawing as a picture', file: 'A file to download', embed: 'A video or another page, by its address',
    math: 'Mathematics, written in TeX', expandable: 'A title that opens to show more', tabs: 'Versions, of which one is shown',
    stepper: 'Steps of a procedure, one by one', columns: 'Content side by side', updates: 'What has changed, by date', prompt: 'A text for assistants',
    condition: 'Shown to some readers only', pageLink: 'A card that leads to another page', reusable: 'Content that stands in several pages',
    apiOperation: 'An operation of an API, to try out', apiWebhook: 'What an API calls', apiSchemas: 'Data of an API',
  },
};
