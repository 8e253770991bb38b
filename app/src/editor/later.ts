/** The editor, which is loaded for whoever may edit. */

import { part } from '../ui/part.ts';

export const EditPage = part(() => import('./edit-page.tsx'));
