import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { SessionFacts } from '../../../ui/rows/session-facts.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { CHANGES, type Person, removeFactors, sessionsQuery, signOutEverywhere, updatePerson } from '../queries.ts';

interface SecurityProps {
  readonly person: Person;
  readonly mayChange: boolean;
}

function Factor({ person: { id, name, mfaEnrolled, breakGlass }, mayChange }: SecurityProps) {
  const words = useTranslations('people');
  return (
    <ActRow
      act={
        mayChange &&
        mfaEnrolled &&
        !breakGlass && (
          <ConfirmButton
            label={words('removeFactors')}
            title={words('removeFactorsTitle', { name })}
            size="xs"
            needs="DELETE /users/{id}/mfa"
            changes={CHANGES}
            act={() => removeFactors(id)}
            onDone={() => notifyDone(words('factorsRemoved', { name }))}
          >
            {words('removeFactorsText')}
          </ConfirmButton>
        )
      }
    >
      <Text size="sm">{words(mfaEnrolled ? 'hasFactor' : 'noFactor')}</Text>
    </ActRow>
  );
}

/** Break-glass people have a second factor: the flag can be set only with one. */
function BreakGlass({ person: { id, name, breakGlass, mfaEnrolled }, mayChange }: SecurityProps) {
  const words = useTranslations('people');
  const verb = breakGlass ? 'unset' : 'set';
  return (
    <ActRow
      act={
        mayChange &&
        (breakGlass || mfaEnrolled) && (
          <ConfirmButton
            label={words(`breakGlassActs.${verb}`)}
            title={words(`breakGlassActs.${verb}Title`, { name })}
            size="xs"
            needs="PATCH /users/{id}"
            changes={CHANGES}
            act={() => updatePerson(id, { breakGlass: !breakGlass })}
          >
            {words(`breakGlassActs.${verb}Text`)}
          </ConfirmButton>
        )
      }
    >
      <Text size="sm">
        {words(breakGlass ? 'isBreakGlass' : mfaEnrolled ? 'noBreakGlass' : 'breakGlassNeedsFactor')}
      </Text>
    </ActRow>
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
          <Text className="gh-hint">{words('noSessions')}</Text>
        ) : (
          <>
            {sessions.map((session) => (
              <Stack key={session.id} gap={2}>
                <SessionFacts session={session} />
              </Stack>
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
