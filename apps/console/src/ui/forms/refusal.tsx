import { Alert } from '@mantine/core';
import { wordsFor } from '../../api/problem.ts';

/** What the server refused, above the actions of a form. */
export const Refusal = ({ error }: { readonly error: unknown }) =>
  error ? (
    <Alert color="red" variant="light" role="alert">
      {wordsFor(error)}
    </Alert>
  ) : null;
