import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import {
  CHANGES,
  type Person,
  removeFactors,
  type Session,
  sessionsQuery,
  signOutEverywhere,
  updatePerson,
} from '../queries.ts';

const PROGRAM_LENGTH = 70;

interface SecurityProps {
  readonly person: Person;
  readonly mayChange: boolean;
}

/** A state in words with the button that changes it. */
function State({ text, children }: { readonly text: string; readonly children: React.ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start">
      <Text size="sm" flex="1 1 9rem">
        {text}
      </Text>
      {children}
    </Group>
  );
}

function Factor({ person: { id, name, mfaEnrolled, breakGlass }, mayChange }: SecurityProps) {
  const words = useTranslations('people');
  return (
    <State text={words(mfaEnrolled ? 'hasFactor' : 'noFactor')}>
      {mayChange && mfaEnrolled && !breakGlass && (
        <ConfirmButton
          label={words('removeFactors')}
          title={words('removeFactorsTitle', { name })}
          size="xs"
          miw="max-content"
          needs="DELETE /users/{id}/mfa"
          changes={CHANGES}
          act={() => removeFactors(id)}
          onDone={() => notifyDone(words('factorsRemoved', { name }))}
        >
          {words('removeFactorsText')}
        </ConfirmButton>
      )}
    </State>
  );
}

/** Break-glass people have a second factor: the flag can be set only with one. */
function BreakGlass({ person: { id, name, breakGlass, mfaEnrolled }, mayChange }: SecurityProps) {
  const words = useTranslations('people');
  const verb = breakGlass ? 'unset' : 'set';
  return (
    <State text={words(breakGlass ? 'isBreakGlass' : mfaEnrolled ? 'noBreakGlass' : 'breakGlassNeedsFactor')}>
      {mayChange && (breakGlass || mfaEnrolled) && (
        <ConfirmButton
          label={words(`breakGlassActs.${verb}`)}
          title={words(`breakGlassActs.${verb}Title`, { name })}
          size="xs"
          miw="max-content"
          needs="PATCH /users/{id}"
          changes={CHANGES}
          act={() => updatePerson(id, { breakGlass: !breakGlass })}
        >
          {words(`breakGlassActs.${verb}Text`)}
        </ConfirmButton>
      )}
    </State>
  );
}

function OneSession({ session }: { readonly session: Session }) {
  const words = useTranslations('people');
  const { userAgent, ip, signedInVia, refreshedAt } = session;
  return (
    <Stack gap={2}>
      <Text size="sm" component="div">
        <SafeText value={userAgent ?? words('unknownProgram')} most={PROGRAM_LENGTH} />
      </Text>
      <Text size="xs" c="dimmed">
        {words(`via.${signedInVia}`)}
        {ip && ` · ${ip}`} · <Instant at={refreshedAt} />
      </Text>
    </Stack>
  );
}

function SignOutButton({ person: { id, name } }: { readonly person: Person }) {
  const words = useTranslations('people');
  return (
    <ConfirmButton
      label={words('signOut')}
      title={words('signOutTitle', { name })}
      size="xs"
      w="fit-content"
      className="gh-long"
      needs="DELETE /users/{id}/sessions"
      changes={CHANGES}
      act={() => signOutEverywhere(id)}
      onDone={() => notifyDone(words('signedOut', { name }))}
    >
      {words('signOutText')}
    </ConfirmButton>
  );
}

function Sessions({ person, mayChange }: SecurityProps) {
  const words = useTranslations('people');
  return (
    <QueryView query={useQuery(sessionsQuery(person.id))}>
      {(sessions) =>
        sessions.length === 0 ? (
          <Text size="sm" c="dimmed">
            {words('noSessions')}
          </Text>
        ) : (
          <>
            {sessions.map((session) => (
              <OneSession key={session.id} session={session} />
            ))}
            {mayChange && <SignOutButton person={person} />}
          </>
        )
      }
    </QueryView>
  );
}

/** How a person signs in, and where they are signed in now. */
export function Security(props: SecurityProps) {
  const words = useTranslations('people');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('security')}</Title>
      <Factor {...props} />
      <BreakGlass {...props} />
      <Title order={3} size="h4">
        {words('sessions')}
      </Title>
      <Sessions {...props} />
    </Stack>
  );
}
