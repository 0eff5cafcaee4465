import '../words.ts';
import { Alert, Badge, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { shownAddress } from '../../../ui/text/mail-domain.ts';
import { Instant } from '../../../ui/text/time.tsx';
import { lacking } from '../access/rights.ts';
import { COLORS, invitationQuery, type Person, personQuery, useRoles } from '../queries.ts';
import { AccountButtons } from '../parts/account-buttons.tsx';
import { InvitationButtons } from '../parts/invitation-buttons.tsx';
import { Memberships } from '../parts/memberships.tsx';
import { Security } from '../parts/security.tsx';

/** An open invitation: its author, and until when its link works. */
function InvitationCard({ person }: { readonly person: Person }) {
  const words = useTranslations('people');
  const navigate = useNavigate();
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('invitation')}</Title>
      <QueryView query={useQuery(invitationQuery(person.id))}>
        {({ invitedBy, createdAt, expiresAt }) => (
          <Facts
            facts={[
              { name: words('invitedBy'), value: invitedBy },
              { name: words('invitedAt'), value: <Instant at={createdAt} /> },
              { name: words('expires'), value: <Instant at={expiresAt} /> },
            ]}
          />
        )}
      </QueryView>
      <Group gap="xs">
        <InvitationButtons person={person} onWithdrawn={() => void navigate({ to: '/people/invitations' })} />
      </Group>
    </Stack>
  );
}

const route = getRouteApi('/people/$userId');

function About({ person: { email, lastLoginAt, createdAt } }: { readonly person: Person }) {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('about')}</Title>
      <Facts
        facts={[
          { name: words('email'), value: shownAddress(email) },
          { name: words('lastLogin'), value: lastLoginAt ? <Instant at={lastLoginAt} /> : uiWords('never') },
          { name: words('created'), value: <Instant at={createdAt} /> },
        ]}
      />
    </Stack>
  );
}

/** Why nothing can be done about a person: it is oneself, or a person who holds more. */
function useDisabledReason(person: Person): 'self' | 'more' | null {
  const { user, permissions } = useMe();
  const roles = useRoles().data;
  if (user.id === person.id) return 'self';
  const held = person.memberships.flatMap(({ roleId }) => roles?.find(({ id }) => id === roleId)?.permissions ?? []);
  return lacking(permissions, held).length > 0 ? 'more' : null;
}

function DisabledReason({ reason }: { readonly reason: 'self' | 'more' }) {
  const words = useTranslations('people');
  return (
    <Alert variant="light" color="gray">
      {words(`locked.${reason}`)} {reason === 'self' && <Link to="/settings/profile">{words('toProfile')}</Link>}
    </Alert>
  );
}

function Status({ person: { status, breakGlass } }: { readonly person: Person }) {
  const words = useTranslations('people');
  return (
    <Group gap={4}>
      <Badge size="md" color={COLORS[status]}>
        {words(`statuses.${status}`)}
      </Badge>
      {breakGlass && (
        <Badge size="md" color="orange" className="gh-flag">
          {words('breakGlass')}
        </Badge>
      )}
    </Group>
  );
}

function Content({ person }: { readonly person: Person }) {
  const disabledReason = useDisabledReason(person);
  const mayChange = disabledReason === null;
  return (
    <Page
      title={person.name}
      aside={<Status person={person} />}
      orgId={person.memberships.length === 1 ? person.memberships[0]?.orgId : null}
      actions={mayChange && <AccountButtons person={person} />}
    >
      {disabledReason && <DisabledReason reason={disabledReason} />}
      <div className="gh-columns">
        <Memberships {...{ person, mayChange }} />
        <Stack>
          <About person={person} />
          {person.status === 'invited' ? <InvitationCard person={person} /> : <Security {...{ person, mayChange }} />}
        </Stack>
      </div>
    </Page>
  );
}

/** One person: what they can do, how they sign in, and what can be done about them. */
export function PersonPage() {
  const { userId } = route.useParams();
  return <QueryView query={useQuery(personQuery(userId))}>{(person) => <Content person={person} />}</QueryView>;
}
