/** German texts of changing the page tree. */

import type { TreeTexts } from './en.ts';

export const de: TreeTexts = {
  changePages: 'Seiten ändern',
  actionsOf: (title) => `Aktionen für ${title}`,
  drag: (title) => `${title} verschieben`,
  newPage: 'Neue Seite',
  newGroup: 'Neue Gruppe',
  newLink: 'Neuer Link',
  newPageBelow: 'Neue Seite darunter',
  newLinkBelow: 'Neuer Link darunter',
  rename: 'Umbenennen',
  steps: { up: 'Nach oben', down: 'Nach unten', in: 'Unter die Seite davor', out: 'Eine Ebene höher' },
  arrows: { up: '↑', down: '↓', in: '→', out: '←' },
  duplicate: 'Duplizieren',
  remove: 'Entfernen',
  undo: 'Rückgängig',
  title: 'Titel',
  address: 'Adresse',
  addressHint: 'Wohin der Link führt, etwa https://example.com/forum.',
  removeTitle: (title) => `${title} entfernen?`,
  removeAbout: 'Die Seite und alle Seiten darunter verschwinden. Links auf sie führen dann ins Leere. Es lässt sich rückgängig machen.',
  inNewChange: 'Damit beginnt ein neuer Änderungsantrag: Leser sehen davon nichts, bis er zusammengeführt ist.',
  copyOf: (title) => `${title} (Kopie)`,
  subjects: {
    create: (title) => `${title} hinzufügen`,
    rename: (title) => `${title} umbenennen`,
    move: (title) => `${title} verschieben`,
    remove: (title) => `${title} entfernen`,
  },
  done: {
    create: (title) => `${title} wurde hinzugefügt.`,
    rename: (title) => `Der Titel ist jetzt ${title}.`,
    move: (title) => `${title} wurde verschoben.`,
    remove: (title) => `${title} wurde entfernt.`,
    undo: 'Es ist wieder wie zuvor.',
  },
  begun: (number) => `Es steht im neuen Änderungsantrag #${number}.`,
  takenBack: 'Es wurde zurückgenommen:',
  cannotMove: 'In diese Richtung geht es nicht weiter.',
};
