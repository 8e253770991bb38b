/** English texts of changing the page tree. */

export const en = {
  changePages: 'Change the pages',
  actionsOf: (title: string) => `Actions for ${title}`,
  drag: (title: string) => `Move ${title}`,
  newPage: 'New page',
  newGroup: 'New group',
  newLink: 'New link',
  newPageBelow: 'New page below',
  newLinkBelow: 'New link below',
  rename: 'Rename',
  steps: { up: 'Move up', down: 'Move down', in: 'Move below the page above', out: 'Move one level up' },
  arrows: { up: '↑', down: '↓', in: '→', out: '←' },
  duplicate: 'Duplicate',
  remove: 'Remove',
  undo: 'Undo',
  title: 'Title',
  address: 'Address',
  addressHint: 'Where the link leads, such as https://example.com/forum.',
  removeTitle: (title: string) => `Remove ${title}?`,
  removeAbout: 'The page and all pages below it go. Links to them lead nowhere then. You can undo it.',
  inNewChange: 'A new change request begins with this: readers see nothing of it until it is merged.',
  copyOf: (title: string) => `${title} (copy)`,
  subjects: {
    create: (title: string) => `Add ${title}`,
    rename: (title: string) => `Rename ${title}`,
    move: (title: string) => `Move ${title}`,
    remove: (title: string) => `Remove ${title}`,
  },
  done: {
    create: (title: string) => `${title} was added.`,
    rename: (title: string) => `It is called ${title} now.`,
    move: (title: string) => `${title} was moved.`,
    remove: (title: string) => `${title} was removed.`,
    undo: 'It is as it was before.',
  },
  begun: (number: number) => `It is in the new change request #${number}.`,
  takenBack: 'It was taken back:',
  cannotMove: 'It cannot move further that way.',
};

export type TreeTexts = typeof en;
