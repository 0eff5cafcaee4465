import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { reloadAfterSwitch } from '../../../api/session.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Instant } from '../../../ui/text/time.tsx';
import {
  changePassword,
  endOwnSession,
  factorsQuery,
  linksQuery,
  membershipsQuery,
  removeFactor,
  sessionsQuery,
  switchMembership,
} from '../queries.ts';

const CHANGES = ['account', 'session'];
const PROGRAM_LENGTH = 60;

export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack className="gh-card" gap="sm">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}

export function Factors() {
  const words = useTranslations('account');
  return (
    <Card title={words('factors')}>
      <QueryView query={useQuery(factorsQuery)}>
        {(factors) =>
          factors.length === 0 ? (
            <Text size="sm">{words('noFactors')}</Text>
          ) : (
            factors.map(({ id, kind, name }) => (
              <Group key={id} justify="space-between">
                <Text size="sm">
                  {words(`kinds.${kind}`)} · {name}
                </Text>
                <ConfirmButton
                  label={words('remove')}
                  title={words('removeFactorTitle', { name })}
                  size="xs"
                  needs="DELETE /auth/mfa/factors/{id}"
                  changes={CHANGES}
                  act={() => removeFactor(id)}
                >
                  {words('removeFactorText')}
                </ConfirmButton>
              </Group>
            ))
          )
        }
      </QueryView>
    </Card>
  );
}

export function Sessions() {
  const words = useTranslations('account');
  return (
    <Card title={words('sessions')}>
      <QueryView query={useQuery(sessionsQuery)}>
        {(sessions) =>
          sessions.map(({ id, current, userAgent, refreshedAt }) => (
            <Group key={id} justify="space-between" wrap="nowrap">
              <Text size="sm" component="div">
                <SafeText value={userAgent ?? ''} most={PROGRAM_LENGTH} /> · <Instant at={refreshedAt} />
              </Text>
              {current ? (
                <Text size="sm">{words('current')}</Text>
              ) : (
                <ConfirmButton
                  label={words('end')}
                  title={words('endTitle')}
                  size="xs"
                  needs="DELETE /auth/sessions/{id}"
                  changes={CHANGES}
                  act={() => endOwnSession(id)}
                >
                  {words('endText')}
                </ConfirmButton>
              )}
            </Group>
          ))
        }
      </QueryView>
    </Card>
  );
}

export function Password() {
  const words = useTranslations('account');
  const limits = (name: string) => inputLimits('POST /auth/change-password', name);
  return (
    <Card title={words('password')}>
      <FormButton
        label={words('changePassword')}
        variant="default"
        w="fit-content"
        needs="POST /auth/change-password"
        fields={[
          {
            name: 'currentPassword',
            label: words('currentPassword'),
            kind: 'password',
            ...limits('currentPassword'),
          },
          { name: 'newPassword', label: words('newPassword'), kind: 'password', ...limits('newPassword') },
        ]}
        changes={CHANGES}
        act={(values) => changePassword(String(values['currentPassword']), String(values['newPassword']))}
        onDone={() => notifyDone(words('passwordChanged'))}
      />
    </Card>
  );
}

export function Memberships() {
  const words = useTranslations('account');
  return (
    <Card title={words('memberships')}>
      <QueryView query={useQuery(membershipsQuery)}>
        {(memberships) =>
          memberships.map(({ id, current, role, partnerName, orgName }) => {
            const name = orgName ?? partnerName ?? words('system');
            return (
              <Group key={id} justify="space-between">
                <Text size="sm">
                  {name} · {role}
                </Text>
                {current ? (
                  <Text size="sm">{words('current')}</Text>
                ) : (
                  <ConfirmButton
                    label={words('switch')}
                    title={words('switchTitle', { name })}
                    size="xs"
                    needs="POST /auth/membership"
                    changes={[]}
                    act={() => switchMembership(id)}
                    onDone={reloadAfterSwitch}
                  >
                    {words('switchText')}
                  </ConfirmButton>
                )}
              </Group>
            );
          })
        }
      </QueryView>
    </Card>
  );
}

export function Links() {
  const words = useTranslations('account');
  return (
    <Card title={words('links')}>
      <QueryView query={useQuery(linksQuery)}>
        {(links) =>
          links.length === 0 ? (
            <Text size="sm">{words('noLinks')}</Text>
          ) : (
            links.map(({ providerId, name, linked, email }) => (
              <Text key={providerId} size="sm">
                {name} · {linked ? words('linked', { email: email ?? '' }) : words('notLinked')}
              </Text>
            ))
          )
        }
      </QueryView>
    </Card>
  );
}
