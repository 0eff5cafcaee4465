import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { endOwnSession, type Session, sessionsQuery } from '../queries.ts';
import { Card, CHANGES } from './cards.tsx';

const PROGRAM_LENGTH = 60;

function OneSession({ session }: { readonly session: Session }) {
  const words = useTranslations('account');
  const { id, current, userAgent, ip, signedInVia, membership, refreshedAt } = session;
  const place = membership.orgName ?? membership.partnerName ?? words('system');
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={2}>
        <Text size="sm" component="div">
          <SafeText value={userAgent ?? words('unknownProgram')} most={PROGRAM_LENGTH} />
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {place} · {words(`via.${signedInVia}`)}
          {ip && ` · ${ip}`} · <Instant at={refreshedAt} />
        </Text>
      </Stack>
      {current ? (
        <Badge size="sm" variant="light" tt="none" color="green" className="gh-status" data-status>
          {words('current')}
        </Badge>
      ) : (
        <ConfirmButton
          label={words('end')}
          title={words('endTitle')}
          size="xs"
          miw="max-content"
          needs="DELETE /auth/sessions/{id}"
          changes={CHANGES}
          act={() => endOwnSession(id)}
        >
          {words('endText')}
        </ConfirmButton>
      )}
    </Group>
  );
}

/** Where one is signed in. */
export function Sessions() {
  const words = useTranslations('account');
  return (
    <Card title={words('sessions')}>
      <QueryView query={useQuery(sessionsQuery)}>
        {(sessions) => sessions.map((session) => <OneSession key={session.id} session={session} />)}
      </QueryView>
    </Card>
  );
}
