/** Deutsche Texte des Menüs, das Blöcke einfügt. */

import type { en } from './en.ts';

export const de: typeof en = {
  groups: { recent: 'Zuletzt verwendet', text: 'Text', media: 'Blöcke und Medien', structure: 'Gliederung', references: 'Von anderswo' },
  fitting: 'Passendes',
  about: {
    paragraph: 'Text, wie er ist', heading1: 'Beginnt ein Kapitel', heading2: 'Beginnt einen Abschnitt', heading3: 'Beginnt einen kleineren Abschnitt',
    bullets: 'Punkte ohne Reihenfolge', numbers: 'Punkte in ihrer Reihenfolge', tasks: 'Punkte zum Abhaken', quote: 'Worte von jemand anderem',
    divider: 'Eine Linie zwischen zwei Teilen', hint: 'Ein Kasten für Anmerkung, Tipp oder Warnung', code: 'Zeilen eines Programms, farbig', table: 'Zeilen und Spalten',
    image: 'Ein Bild von Ihrem Rechner', drawing: 'Eine Zeichnung als Bild', file: 'Eine Datei zum Herunterladen', embed: 'Ein Video oder eine andere Seite, über die Adresse',
    math: 'Mathematik, in TeX geschrieben', expandable: 'Ein Titel, der sich öffnen lässt', tabs: 'Fassungen, von denen eine zu sehen ist',
    stepper: 'Schritte einer Anleitung, nacheinander', columns: 'Inhalt nebeneinander', updates: 'Was sich geändert hat, nach Datum', prompt: 'Ein Text für Assistenten',
    condition: 'Nur für bestimmte Leser', pageLink: 'Eine Karte, die zu einer anderen Seite führt', reusable: 'Inhalt, der auf mehreren Seiten steht',
    apiOperation: 'Eine Operation einer API, zum Ausprobieren', apiWebhook: 'Was eine API aufruft', apiSchemas: 'Daten einer API',
  },
};
