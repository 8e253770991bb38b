import { useGraphiQL, useGraphiQLActions, type GraphiQLPlugin } from '@graphiql/react';
import { execute } from './api';
import { fillVariables, GROUPS, type Example } from './examples';
import { isNarrow } from './narrow';

function ExamplesIcon() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M4 5h10M4 10h7M4 15h5M4 20h7" strokeLinecap="round" />
      <path d="m15 11 6 4-6 4z" strokeLinejoin="round" />
    </svg>
  );
}

/** The sidebar list of examples; a click opens one in a tab of its own, ready to run. */
export function examplesPlugin(endpoint: URL, defaultQuery: string): GraphiQLPlugin {
  function ExamplesList() {
    const { addTab, setOperationName, setVisiblePlugin } = useGraphiQLActions();
    const { queryEditor, variableEditor } = useGraphiQL((state) => ({
      queryEditor: state.queryEditor,
      variableEditor: state.variableEditor,
    }));

    // The editors come a moment after the list.
    const ready = queryEditor !== undefined && variableEditor !== undefined;

    async function open(example: Example): Promise<void> {
      if (queryEditor === undefined || variableEditor === undefined) {
        return;
      }
      const written = queryEditor.getValue().trim();
      if (written !== '' && written !== defaultQuery.trim()) {
        addTab();
      }
      const variables = example.variables ?? {};
      const show = (values: Readonly<Record<string, unknown>>) =>
        Object.keys(values).length === 0 ? '' : JSON.stringify(values, null, 2);
      queryEditor.setValue(example.query);
      // The editor finds the name itself a moment later; whoever runs at once needs it now.
      setOperationName(/^\s*(?:query|mutation|subscription)\s+(\w+)/.exec(example.query)?.[1] ?? '');
      variableEditor.setValue(show(variables));
      queryEditor.setPosition({ lineNumber: 1, column: 1 });
      if (isNarrow()) {
        // The list stands on the editors; focus would bring a keyboard up.
        setVisiblePlugin(null);
      } else {
        queryEditor.focus();
      }
      if (Object.values(variables).includes(null)) {
        const filled = await fillVariables(example, (query) => execute(endpoint, query));
        // The reader may have gone on to another tab or typed in the meantime.
        if (variableEditor.getValue() === show(variables)) {
          variableEditor.setValue(show(filled));
        }
      }
    }

    return (
      <div className="examples">
        <h2 className="examples-title">Examples</h2>
        <p>
          Open one, then run it with the button or Ctrl-Enter. Ids are filled in from what the
          token can see.
        </p>
        {GROUPS.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h3>{group.title}</h3>
            <ul>
              {group.examples.map((example) => (
                <li key={example.title}>
                  <button type="button" disabled={!ready} onClick={() => void open(example)}>
                    <span className="example-name">{example.title}</span>
                    <span className="example-text">{example.description}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    );
  }

  return { title: 'Examples', icon: ExamplesIcon, content: ExamplesList };
}
