/** A fault of the application itself: it says so, and offers to begin anew. */

import { Component, type ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { Button, ui } from './ui.tsx';

function Crashed() {
  const t = useTexts();
  return (
    <main className={ui.failure} role="alert" style={{ margin: '0 auto', padding: '2rem 1rem' }}>
      <h1>{t.crashed.title}</h1>
      <p>{t.crashed.advice}</p>
      <Button onPress={() => window.location.reload()}>{t.reload}</Button>
    </main>
  );
}

export class CrashGuard extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override render() {
    return this.state.crashed ? <Crashed /> : this.props.children;
  }
}
