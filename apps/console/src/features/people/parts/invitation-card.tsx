import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { QueryView } from '../../../ui/state-views.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { CHANGES, invitationQuery, inviteAgain, type Person, useForget, withdrawInvitation } from '../queries.ts';

interface InvitationButtonsProps {
  readonly person: Pick<Person, 'id' | 'name'>;
  readonly size?: string;
  readonly onWithdrawn?: () => void;
}

/** Mails an open invitation again, or takes it back. */
export function InvitationButtons({ person: { id, name }, size = 'sm', onWithdrawn }: InvitationButtonsProps) {
  const words = useTranslations('people');
  const forget = useForget();
  const withdrawn = () => {
    forget();
    notifyDone(words('withdrawn', { name }));
    onWithdrawn?.();
  };
  return (
    <>
      <ConfirmButton
        label={words('again')}
        title={words('againTitle', { name })}
        size={size}
        needs="POST /users/{id}/invitation"
        changes={CHANGES}
        act={() => inviteAgain(id)}
        onDone={() => notifyDone(words('invited', { name }))}
      >
        {words('againText')}
      </ConfirmButton>
      <ConfirmButton
        label={words('withdraw')}
        title={words('withdrawTitle', { name })}
        size={size}
        needs="DELETE /users/{id}/invitation"
        changes={[]}
        act={() => withdrawInvitation(id)}
        onDone={withdrawn}
      >
        {words('withdrawText')}
      </ConfirmButton>
    </>
  );
}

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
