import { catalogue } from '../area.ts';
import { en } from './en.ts';

export const useInsertTexts = catalogue(en, async () => (await import('./de.ts')).de);
