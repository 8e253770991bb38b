/** The Workbench: it takes the place of the page that is shown without scripts. */

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { Router } from 'wouter';
import './base.css';
import { App } from './app.tsx';
import { client } from './graph/client.ts';
import { PREFIX } from './place.ts';
import { TextsProvider } from './texts/texts.tsx';
import { applyTheme } from './theme.ts';
import { CrashGuard } from './ui/crash.tsx';

applyTheme();
const root = document.getElementById('workbench');
if (root === null) throw new Error('the page has no place for the application');
createRoot(root).render(
  <StrictMode>
    <TextsProvider>
      <CrashGuard>
        <Provider value={client}>
          <Router base={PREFIX}>
            <App />
          </Router>
        </Provider>
      </CrashGuard>
    </TextsProvider>
  </StrictMode>,
);
