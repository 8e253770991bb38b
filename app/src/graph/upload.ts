/** Sending a file to an address that the graph has given; with how much of it is there. */

import { SCRIPT_HEADER } from './client.ts';

export function sendFile(url: string, file: File, onPart?: (percent: number) => void): Promise<boolean> {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(SCRIPT_HEADER)) request.setRequestHeader(name, value);
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onPart?.(total > 0 ? Math.round((loaded / total) * 100) : 0);
    request.onload = () => done(request.status >= 200 && request.status < 300);
    request.onerror = () => done(false);
    request.ontimeout = () => done(false);
    request.send(file);
  });
}
