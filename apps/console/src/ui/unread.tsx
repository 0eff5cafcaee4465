import { Alert, Button, Group, Text } from '@mantine/core';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { useOnline } from '../api/browser.ts';
import { isUnanswered, requestIdOf } from '../api/problem.ts';
import { useFocusAfter } from './forms/unsaved.ts';
import { CopyText } from './text/copy-text.tsx';

/** The errors that stand on the screen in the place of what was asked for. */
let told: readonly unknown[] = [];
const listeners = new Set<() => void>();

function setTold(errors: readonly unknown[]): void {
  told = errors;
  for (const listener of listeners) listener();
}

/** For a part that tells the error itself. */
export function useTold(error: unknown): void {
  useLayoutEffect(() => {
    setTold([...told, error]);
    return () => setTold(told.filter((_, at) => at !== told.indexOf(error)));
  }, [error]);
}

/** Meta of a query whose part shows by itself that nothing was read. */
export const TOLD_IN_PLACE = { isTold: true };

const isUnread = ({ state, meta }: Query): boolean =>
  state.status === 'error' &&
  state.data === undefined &&
  meta?.['isTold'] !== true &&
  isUnanswered(state.error) &&
  !told.includes(state.error);
const UNREAD = { type: 'active', predicate: isUnread } as const;

/** Tells that something on the screen could not be read, whose part would only be empty. */
export function UnreadNotice() {
  const queryClient = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => {
      const unsubscribe = queryClient.getQueryCache().subscribe(listener);
      listeners.add(listener);
      return () => {
        unsubscribe();
        listeners.delete(listener);
      };
    },
    [queryClient],
  );
  const error = useSyncExternalStore(subscribe, () => queryClient.getQueryCache().findAll(UNREAD)[0]?.state.error);
  const isOnline = useOnline();
  return error && isOnline && <Notice error={error} retry={() => void queryClient.refetchQueries(UNREAD)} />;
}

interface AnotherTryProps {
  readonly retry?: (() => void) | undefined;
  readonly requestId?: string | undefined;
}

/** A button that asks again, and the request id by which an operator finds the failure. */
export function AnotherTry({ retry, requestId }: AnotherTryProps) {
  const words = useTranslations('ui');
  return (
    <>
      {retry && (
        <Button size="xs" variant="default" onClick={retry}>
          {words('tryAgain')}
        </Button>
      )}
      {requestId && <CopyText label={words('requestId')} text={requestId} />}
    </>
  );
}

function Notice({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const words = useTranslations('ui');
  return (
    <Alert color="red" variant="light" mb="md" role="status" ref={useFocusAfter<HTMLDivElement>()}>
      <Group gap="sm">
        <Text size="sm">{words('unread')}</Text>
        <AnotherTry retry={retry} requestId={requestIdOf(error)} />
      </Group>
    </Alert>
  );
}
