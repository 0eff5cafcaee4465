import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { Page } from '../../../ui/page.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Instant } from '../../../ui/text/time.tsx';
import { grouped } from '../model.ts';
import {
  inviteAgain,
  type Person,
  personQuery,
  removeFactors,
  removePerson,
  rolesQuery,
  sessionsQuery,
  signOutEverywhere,
  updatePerson,
} from '../queries.ts';
import { COLORS } from '../colors.ts';
import '../words.ts';

const route = getRouteApi('/people/$userId');
const CHANGES = ['people'];
const PROGRAM_LENGTH = 70;

function useReachOf(membership: Person['memberships'][number]): string {
  const words = useTranslations('people.reaches');
  const { scope, orgAccess, orgIds, siteIds } = membership;
  if (siteIds.length > 0) return words('sites', { count: siteIds.length });
  if (scope !== 'partner') return words(scope);
  return orgAccess === 'selected' ? words('selected', { count: orgIds.length }) : words(orgAccess);
}

/** What a membership lets the person do, in words. */
function Membership({ membership }: { readonly membership: Person['memberships'][number] }) {
  const reach = useReachOf(membership);
  const role = (useQuery(rolesQuery).data ?? []).find(({ id }) => id === membership.roleId);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {membership.roleName} · {reach}
      </Text>
      <Facts
        facts={grouped(role?.permissions ?? []).map(([thing, acts]) => ({ name: thing, value: acts.join(', ') }))}
      />
    </Stack>
  );
}

function Sessions({ person }: { readonly person: Person }) {
  const words = useTranslations('people');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('sessions')}</Title>
      <QueryView query={useQuery(sessionsQuery(person.id))}>
        {(sessions) =>
          sessions.length === 0 ? (
            <Text c="dimmed">{words('noSessions')}</Text>
          ) : (
            sessions.map(({ id, userAgent, refreshedAt, ip }) => (
              <Group key={id} gap="xs">
                <SafeText value={userAgent ?? ip ?? ''} most={PROGRAM_LENGTH} />
                <Text size="sm" c="dimmed">
                  <Instant at={refreshedAt} />
                </Text>
              </Group>
            ))
          )
        }
      </QueryView>
    </Stack>
  );
}

function StatusButton({ person: { id, name, status } }: { readonly person: Person }) {
  const words = useTranslations('people');
  const verb = status === 'suspended' ? 'reinstate' : 'suspend';
  return (
    <ConfirmButton
      label={words(verb)}
      title={words(`${verb}Title`, { name })}
      needs="PATCH /users/{id}"
      changes={CHANGES}
      act={() => updatePerson(id, { status: verb === 'suspend' ? 'suspended' : 'active' })}
    >
      {words(`${verb}Text`)}
    </ConfirmButton>
  );
}

function ChangeRole({ person }: { readonly person: Person }) {
  const words = useTranslations('people');
  const membership = person.memberships[0];
  const roles = useQuery(rolesQuery).data ?? [];
  if (!membership) return null;
  const axis = membership.scope === 'organization' ? 'organization' : 'partner';
  const choices = roles.filter((role) => role.axis === axis).map(({ id, name }) => ({ value: id, label: name }));
  const { scope, partnerId, orgId, orgAccess, orgIds, siteIds } = membership;
  const reach = scope === 'partner' ? { partnerId, orgAccess, orgIds } : { orgId };
  return (
    <FormButton
      label={words('change')}
      variant="default"
      needs="PATCH /users/{id}"
      fields={[{ name: 'membership.roleId', label: words('role'), kind: 'choice', choices, required: true }]}
      initial={{ 'membership.roleId': membership.roleId }}
      changes={CHANGES}
      act={(values) =>
        updatePerson(person.id, {
          membership: { scope, ...reach, siteIds, roleId: String(values['membership.roleId']) },
        })
      }
    />
  );
}

function InviteAgain({ person: { id, name } }: { readonly person: Person }) {
  const words = useTranslations('people');
  return (
    <ConfirmButton
      label={words('again')}
      title={words('againTitle', { name })}
      needs="POST /users/{id}/invitation"
      changes={CHANGES}
      act={() => inviteAgain(id)}
      onDone={() => notifyDone(words('invited'))}
    >
      {words('againText')}
    </ConfirmButton>
  );
}

function SignOutButton({ person: { id, name } }: { readonly person: Person }) {
  const words = useTranslations('people');
  return (
    <ConfirmButton
      label={words('signOut')}
      title={words('signOutTitle', { name })}
      needs="DELETE /users/{id}/sessions"
      changes={CHANGES}
      act={() => signOutEverywhere(id)}
      onDone={() => notifyDone(words('signedOut'))}
    >
      {words('signOutText')}
    </ConfirmButton>
  );
}

function RemoveFactors({ person: { id, name } }: { readonly person: Person }) {
  const words = useTranslations('people');
  return (
    <ConfirmButton
      label={words('removeFactors')}
      title={words('removeFactorsTitle', { name })}
      needs="DELETE /users/{id}/mfa"
      changes={CHANGES}
      act={() => removeFactors(id)}
    >
      {words('removeFactorsText')}
    </ConfirmButton>
  );
}

function RemoveButton({ person: { id, name } }: { readonly person: Person }) {
  const words = useTranslations('people');
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label={words('remove')}
      title={words('removeTitle', { name })}
      needs="DELETE /users/{id}"
      name={name}
      changes={CHANGES}
      act={() => removePerson(id)}
      onDone={() => void navigate({ to: '/people' })}
    >
      {words('removeText')}
    </ConfirmButton>
  );
}

/** What can be done about another person; one's own account is on the profile. */
function Actions({ person }: { readonly person: Person }) {
  const me = useMe();
  if (me.user.id === person.id) return null;
  if (person.status === 'invited') return <InviteAgain person={person} />;
  return (
    <Group gap="xs">
      <ChangeRole person={person} />
      <SignOutButton person={person} />
      {person.mfaEnrolled && <RemoveFactors person={person} />}
      <StatusButton person={person} />
      <RemoveButton person={person} />
    </Group>
  );
}

function About({ person }: { readonly person: Person }) {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('about')}</Title>
      <Facts
        facts={[
          { name: words('email'), value: person.email },
          { name: words('factor'), value: uiWords(person.mfaEnrolled ? 'yes' : 'no') },
          { name: words('breakGlass'), value: person.breakGlass ? words('breakGlassText') : null },
          { name: words('lastLogin'), value: person.lastLoginAt && <Instant at={person.lastLoginAt} /> },
          { name: words('created'), value: <Instant at={person.createdAt} /> },
        ]}
      />
      <Title order={2}>{words('memberships')}</Title>
      {person.memberships.map((membership) => (
        <Membership key={membership.id} membership={membership} />
      ))}
    </Stack>
  );
}

/** One person: role, reach, sessions and what can be done about them. */
export function PersonPage() {
  const words = useTranslations('people');
  const { userId } = route.useParams();
  return (
    <QueryView query={useQuery(personQuery(userId))}>
      {(person) => (
        <Page
          title={person.name}
          aside={
            <Badge variant="light" tt="none" color={COLORS[person.status]} className="gh-status">
              {words(`statuses.${person.status}`)}
            </Badge>
          }
          actions={<Actions person={person} />}
        >
          <div className="gh-columns">
            <About person={person} />
            <Sessions person={person} />
          </div>
        </Page>
      )}
    </QueryView>
  );
}
