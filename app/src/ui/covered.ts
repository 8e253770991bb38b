/** How much of the window the keyboard of a phone covers: `--covered`, for what stays above it. */

export function followKeyboard(): () => void {
  const seen = window.visualViewport;
  const root = document.documentElement;
  if (!seen) return () => undefined;
  const note = (): void => {
    // Whoever has zoomed in sees a part of the page, and it is no keyboard that covers the rest.
    const covered = seen.scale > 1.01 ? 0 : Math.max(0, root.clientHeight - seen.height - seen.offsetTop);
    root.style.setProperty('--covered', `${Math.round(covered)}px`);
  };
  note();
  seen.addEventListener('resize', note);
  seen.addEventListener('scroll', note);
  return () => {
    seen.removeEventListener('resize', note);
    seen.removeEventListener('scroll', note);
    root.style.removeProperty('--covered');
  };
}
