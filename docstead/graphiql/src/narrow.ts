/** Whether the screen is too narrow for lists beside the editors; page.css has the same bound. */
export function isNarrow(): boolean {
  return matchMedia('(width < 720px)').matches;
}
