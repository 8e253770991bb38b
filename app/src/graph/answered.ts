/** An answer without data that says nothing of why is a failure: a view would take it for what is not there, or wait for ever. */

import { CombinedError, type Exchange } from 'urql';
import { map, pipe } from 'wonka';

const UNANSWERED = { message: 'The answer has no data.', extensions: { code: 'UNANSWERED' } };

export const answered: Exchange = ({ forward }) => (operations) =>
  pipe(
    forward(operations),
    map((result) => (result.data == null && !result.error && !result.hasNext && result.operation.kind !== 'teardown'
      ? { ...result, error: new CombinedError({ graphQLErrors: [UNANSWERED] }) }
      : result)),
  );
