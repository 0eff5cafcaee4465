import { Alert, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { SessionFacts } from '../../../ui/rows/session-facts.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { shownAddress } from '../../../ui/text/mail-domain.ts';
import { Card, CHANGES, Mark, Memberships, Password } from '../parts/cards.tsx';
import { Factors } from '../parts/factors.tsx';
import { Links } from '../parts/links.tsx';
import { Notifications } from '../parts/notifications.tsx';
import { endOwnSession, type Session, sessionsQuery } from '../queries.ts';
import accountWords from '../../../words/en/account.json' with { type: 'json' };
import { addWords } from '../../../words/index.ts';

addWords({ account: accountWords });

function EndButton({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const words = useTranslations('account');
  return (
    <ConfirmButton
      label={words('end')}
      title={words('endTitle')}
      size="xs"
      needs="DELETE /auth/sessions/{id}"
      changes={CHANGES}
      act={() => endOwnSession(id)}
    >
      {children}
      <Text size="sm" mt="xs">
        {words('endText')}
      </Text>
    </ConfirmButton>
  );
}

const presentFirst = (sessions: readonly Session[]): readonly Session[] =>
  sessions.toSorted((one, other) => Number(other.current) - Number(one.current));

/** Where one is signed in. */
function Sessions() {
  const words = useTranslations('account');
  return (
    <Card title={words('sessions')}>
      <QueryView query={useQuery(sessionsQuery)}>
        {(sessions) =>
          presentFirst(sessions).map((session) => {
            const { id, current, membership } = session;
            const place = membership.orgName ?? membership.partnerName ?? words('system');
            const facts = <SessionFacts {...{ session, place }} />;
            return (
              <ActRow key={id} act={current ? <Mark>{words('current')}</Mark> : <EndButton id={id}>{facts}</EndButton>}>
                {facts}
              </ActRow>
            );
          })
        }
      </QueryView>
    </Card>
  );
}

const route = getRouteApi('/settings/profile');

const LINK_ERRORS = [
  'email_mismatch',
  'identity_in_use',
  'identity_conflict',
  'provider_changed',
  'session_expired',
] as const;

function LinkError({ code, attempt }: { readonly code: string; readonly attempt: string | undefined }) {
  const words = useTranslations('account.linkErrors');
  const known = LINK_ERRORS.find((one) => one === code);
  return (
    <Alert color="red" variant="light" role="alert">
      {words(known ?? 'other')}
      {attempt && <CopyText label={words('reference')} text={attempt} />}
    </Alert>
  );
}

/** What a person can change about their own account. */
export function ProfilePage() {
  const words = useTranslations('account');
  const { user } = useMe();
  const { ssoLinked, ssoLinkError, attempt } = route.useSearch();
  return (
    <Page title={words('title')} aside={shownAddress(user.email)}>
      {ssoLinked && <Alert color="green">{words('ssoLinked')}</Alert>}
      {ssoLinkError && <LinkError code={ssoLinkError} attempt={attempt} />}
      <SimpleGrid type="container" cols={{ base: 1, '46rem': 2 }}>
        <Factors />
        <Password />
        <Notifications />
        <Sessions />
        <Memberships />
        <Links />
      </SimpleGrid>
    </Page>
  );
}
