import { Alert, Button, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { codeOf, problemOf, wordsFor } from '../api/problem.ts';
import { useFocusAfter } from './forms/unsaved.ts';
import { isMissingFile, lazyPart } from './later/lazy-part.ts';
import { signOut } from './sign-out.ts';
import { AnotherTry, useTold } from './unread.tsx';

const LATER_MS = 150;
const ROWS = [1, 2, 3, 4, 5, 6];

/** Grey rows in the place of those to come; only shown when loading takes longer than a blink. */
export function LoadingView() {
  const words = useTranslations('ui');
  const [late, setLate] = useState(false);
  useTimeout(() => setLate(true), LATER_MS, { autoInvoke: true });
  if (!late) return null;
  return (
    <Stack gap="sm" aria-busy="true" aria-label={words('loading')} role="status">
      {ROWS.map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </Stack>
  );
}

interface NoticeProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly 'data-denied'?: true;
}

function Notice({ title, children, ...center }: NoticeProps) {
  return (
    <Center mih="40vh" ref={useFocusAfter<HTMLDivElement>()} {...center}>
      <Stack maw={460} gap="sm" align="flex-start">
        <Title order={2}>{title}</Title>
        {children}
      </Stack>
    </Center>
  );
}

export function NotFoundView() {
  const words = useTranslations('ui');
  return (
    <Notice title={words('notFound')}>
      <Text c="dimmed">{words('notFoundText')}</Text>
      <Button component={Link} to="/" variant="light">
        {words('toStart')}
      </Button>
    </Notice>
  );
}

/** Loaded when a page is refused. */
const PermissionText = lazyPart(async () => ({
  default: (await import('./text/permission-text.tsx')).PermissionText,
}));

/** Names what is missing and who can grant it; a partner that is switched off leaves nothing but to sign out. */
function DeniedView({ error }: { readonly error: unknown }) {
  const words = useTranslations('ui');
  const isInactive = codeOf(error) === 'partner_inactive';
  const detail = problemOf(error)?.detail;
  return (
    <Notice title={words(isInactive ? 'partnerInactive' : 'denied')} data-denied>
      <Text>{wordsFor(error)}</Text>
      {codeOf(error) === 'permission_denied' && detail && (
        <Text component="div" c="dimmed">
          <Suspense fallback={null}>
            <PermissionText text={detail} />
          </Suspense>
        </Text>
      )}
      {isInactive ? (
        <Button variant="light" onClick={() => void signOut('/auth/logout')}>
          {words('signOut')}
        </Button>
      ) : (
        <Button component={Link} to="/" variant="light">
          {words('toStart')}
        </Button>
      )}
    </Notice>
  );
}

const DENIED = /^(permission_denied|scope_denied|\w+_only|partner_required|\w+_access_denied|partner_inactive)$/;

/** A screen whose file cannot be loaded, because a deployment has replaced it or the network is gone. */
function MissingView() {
  const words = useTranslations('ui');
  return (
    <Notice title={words('missing')}>
      <Text c="dimmed">{words('missingText')}</Text>
      <Button variant="light" onClick={() => location.reload()}>
        {words('reload')}
      </Button>
    </Notice>
  );
}

/** A failed screen: denied, not found, or an error with its request id and another try. */
export function ErrorView({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  useTold(error);
  const code = codeOf(error);
  // An address can hold an id that is none.
  if (problemOf(error)?.status === 404 || code === 'validation_failed') return <NotFoundView />;
  if (isMissingFile(error)) return <MissingView />;
  if (DENIED.test(code)) return <DeniedView error={error} />;
  return (
    <Alert color="red" variant="light" role="alert" title={wordsFor(error)}>
      <Group gap="sm">
        <AnotherTry retry={retry} requestId={problemOf(error)?.requestId} />
      </Group>
    </Alert>
  );
}

export interface EmptyProps {
  readonly title: string;
  readonly text?: string;
  /** Set while filters narrow the list: clears them. */
  readonly clear?: (() => void) | undefined;
  readonly action?: ReactNode;
}

/** Nothing here yet, or nothing that matches. */
export function EmptyView({ title, text, clear, action }: EmptyProps) {
  const words = useTranslations('ui');
  if (clear) {
    return (
      <Notice title={words('nothingMatches')}>
        <Button variant="light" onClick={clear}>
          {words('clearFilters')}
        </Button>
      </Notice>
    );
  }
  return (
    <Notice title={title}>
      {text && <Text c="dimmed">{text}</Text>}
      {action}
    </Notice>
  );
}

interface QueryViewProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** Loading, failed or there: a refresh keeps what is shown. */
export function QueryView<T>({ query, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorView error={query.error} retry={() => void query.refetch()} />;
  return <LoadingView />;
}
