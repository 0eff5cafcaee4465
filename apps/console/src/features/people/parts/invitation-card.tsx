import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Facts } from '../../../ui/text/facts.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { invitationQuery, type Person } from '../queries.ts';
import { InvitationButtons } from './invitation-buttons.tsx';

/** An open invitation: its author, and until when its link works. */
export function InvitationCard({ person }: { readonly person: Person }) {
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
