/** Going to another view from the navigation, and on with it: where it is drawn above the view, it stays open. */
export const STAYING = { state: { stays: true } } as const;

export const isStaying = (): boolean => (window.history.state as { stays?: unknown } | null)?.stays === true;
