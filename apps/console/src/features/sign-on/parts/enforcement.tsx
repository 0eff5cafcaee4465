import { Alert, Badge, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { lockedOut, type Outlook, type Provider } from '../model.ts';
import { breakGlassQuery, CHANGES, enforcementQuery, updateProvider } from '../queries.ts';

const PATCH = 'PATCH /sso/providers/{id}';
const SHOWN = 10;
const NAME_LENGTH = 60;

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** People with the way to each; a long list is opened on demand. */
function People({
  people,
  note,
}: {
  readonly people: readonly Person[];
  readonly note?: (id: string) => string | null;
}) {
  const words = useTranslations('signOn');
  const [whole, setWhole] = useState(false);
  const shown = whole ? people : people.slice(0, SHOWN);
  return (
    <Stack gap="xs" align="flex-start">
      <List size="sm">
        {shown.map(({ id, name, email }) => (
          <List.Item key={id}>
            <Link to="/people/$userId" params={{ userId: id }}>
              <SafeText value={name} most={NAME_LENGTH} />
            </Link>{' '}
            <SafeText value={email} most={NAME_LENGTH} /> {note?.(id)}
          </List.Item>
        ))}
      </List>
      {people.length > shown.length && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          {words('showAll', { count: people.length })}
        </Button>
      )}
    </Stack>
  );
}

/** Those who get in with a password all the same, if the provider fails. */
function BreakGlass({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const can = useCan()('GET /users');
  const query = useQuery({ ...breakGlassQuery(provider), enabled: can });
  if (!can) return null;
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        {words('breakGlass')}
      </Title>
      <QueryView query={query}>
        {(people) =>
          people.length === 0 ? (
            <Alert color="orange" variant="light">
              {words('noBreakGlass')}{' '}
              <Link to="/people" search={provider.orgId ? { org: provider.orgId } : {}}>
                {words('toPeople')}
              </Link>
            </Alert>
          ) : (
            <>
              <Text size="sm">{words('breakGlassText')}</Text>
              <People people={people} />
            </>
          )
        }
      </QueryView>
    </Stack>
  );
}

function Governed({ users }: Pick<Outlook, 'users'>) {
  const words = useTranslations('signOn');
  const { user } = useMe();
  const stuck = lockedOut(users);
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        {words('governed', { count: users.length })}
      </Title>
      {users.length === 0 ? (
        <Text size="sm">{words('governsNone')}</Text>
      ) : (
        <Text size="sm">{words('withoutLink', { count: stuck.length })}</Text>
      )}
      <People people={stuck} note={(id) => (id === user.id ? words('yourself') : null)} />
    </Stack>
  );
}

function Switch({ provider, outlook }: { readonly provider: Provider; readonly outlook: Outlook }) {
  const words = useTranslations('signOn');
  const { user } = useMe();
  const { name, enforceSSO, status } = provider;
  const verb = enforceSSO ? 'release' : 'enforce';
  const stuck = lockedOut(outlook.users);
  if (!outlook.tested && !enforceSSO) return null;
  return (
    <ConfirmButton
      label={words(verb)}
      title={words(`${verb}Title`, { name })}
      needs={PATCH}
      w="fit-content"
      {...(verb === 'enforce' && { name })}
      changes={CHANGES}
      act={() => updateProvider(provider, { enforceSSO: !enforceSSO })}
    >
      {words(`${verb}Text`)}
      {verb === 'enforce' && ` ${words('enforceCount', { count: outlook.users.length, stuck: stuck.length })}`}
      {verb === 'enforce' && stuck.some(({ id }) => id === user.id) && ` ${words('enforceYourself')}`}
      {verb === 'enforce' && status !== 'active' && ` ${words('enforceLater')}`}
    </ConfirmButton>
  );
}

/** The switch of enforcement, behind a sign-in that succeeded and the list of those whom it would concern. */
export function Enforcement({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const can = useCan()('GET /sso/providers/{id}/enforcement-preview');
  const query = useQuery({ ...enforcementQuery(provider.id), enabled: can });
  const { enforceSSO } = provider;
  return (
    <Stack className="gh-card" component="section">
      <Group gap="xs">
        <Title order={2}>{words('enforcementTitle')}</Title>
        <Badge size="sm" variant="light" tt="none" color={enforceSSO ? 'green' : 'gray'} className="gh-status">
          {words(enforceSSO ? 'enforced' : 'notEnforced')}
        </Badge>
      </Group>
      {can && (
        <QueryView query={query}>
          {(outlook) => (
            <>
              <Alert color={outlook.tested ? 'green' : 'orange'} variant="light" role="status">
                {words(outlook.tested ? 'tested' : 'untested')}
              </Alert>
              <Governed users={outlook.users} />
              <BreakGlass provider={provider} />
              <Switch provider={provider} outlook={outlook} />
            </>
          )}
        </QueryView>
      )}
    </Stack>
  );
}
