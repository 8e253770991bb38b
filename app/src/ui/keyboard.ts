/** What differs between keyboards: input methods, and the names of keys on machines of Apple. */

/**
 * A key that an input method has. Safari tells of the one that ends what was composed after it is there:
 * then only its code, 229, says so.
 */
export const isComposed = ({ isComposing, keyCode }: { readonly isComposing: boolean; readonly keyCode: number }): boolean =>
  isComposing || keyCode === 229;

const IS_APPLE = /Mac|iPhone|iPad/u.test(navigator.platform);

/** Keys as they are called there. */
export const keysHere = (keys: string): string =>
  IS_APPLE ? keys.replaceAll('Ctrl', '⌘').replaceAll('Alt', '⌥') : keys;

/** The same for programs: `Control+B`. */
export const shortcut = (keys: string): string =>
  keys.replaceAll('Ctrl', IS_APPLE ? 'Meta' : 'Control').replaceAll(' ', '+');
