/** Sending a file to an address that the graph has given; with how much of it is there. However long it takes, it goes on as long as something goes. */

import { SCRIPT_HEADER } from './client.ts';
import { WRITE_MS } from './in-time.ts';

export function sendFile(url: string, file: File, onPart?: (percent: number) => void): Promise<boolean> {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(SCRIPT_HEADER)) request.setRequestHeader(name, value);
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
    let timer: number | undefined;
    const wait = (): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => request.abort(), WRITE_MS);
    };
    const end = (isThere: boolean): void => {
      window.clearTimeout(timer);
      done(isThere);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      wait();
      onPart?.(total > 0 ? Math.round((loaded / total) * 100) : 0);
    };
    request.onload = () => end(request.status >= 200 && request.status < 300);
    request.onerror = () => end(false);
    request.onabort = () => end(false);
    wait();
    request.send(file);
  });
}
