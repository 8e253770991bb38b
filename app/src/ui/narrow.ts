import { useSyncExternalStore } from 'react';

/** As in the styles of the shell: there the navigation is behind a button. */
const NARROW = window.matchMedia('(max-width: 860px)');

function listen(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

/** Whether the navigation is not beside the view. */
export const useNarrow = (): boolean => useSyncExternalStore(listen, () => NARROW.matches);
