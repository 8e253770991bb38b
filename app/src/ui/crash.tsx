/** A fault of the application itself: it says so, and offers to begin anew. */

import { Component, type ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { Button, ui } from './ui.tsx';

function Crashed() {
  const t = useTexts();
  return (
    <div className={ui.failure} role="alert" style={{ margin: '0 auto', padding: '2rem 1rem' }}>
      <h1>{t.crashed.title}</h1>
      <p>{t.crashed.advice}</p>
      <Button onPress={() => window.location.reload()}>{t.reload}</Button>
    </div>
  );
}

interface Guarded {
  readonly children: ReactNode;
  /** The address of what is guarded: another one is tried anew. */
  readonly at?: string;
}

export class CrashGuard extends Component<Guarded, { crashed: boolean; at: string | undefined }> {
  override state = { crashed: false, at: this.props.at };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  static getDerivedStateFromProps({ at }: Guarded, state: { at: string | undefined }) {
    return at === state.at ? null : { at, crashed: false };
  }

  override render() {
    return this.state.crashed ? <Crashed /> : this.props.children;
  }
}
