import { useEffect } from 'react';

/** The title of the document while a view is shown. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} | Docstead`;
  }, [title]);
}
