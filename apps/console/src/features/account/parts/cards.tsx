import { Badge, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { reloadAfterSwitch } from '../../../api/session.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { changePassword, membershipsQuery, switchMembership } from '../queries.ts';

export const CHANGES = ['account', 'session'];

export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack className="gh-card" gap="sm">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}

/** Marks the one of several that is used here and now. */
export function Mark({ children }: { readonly children: ReactNode }) {
  return (
    <Badge color="green" data-status>
      {children}
    </Badge>
  );
}

function SwitchButton({ id, name }: { readonly id: string; readonly name: string }) {
  const words = useTranslations('account');
  return (
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
          { name: 'currentPassword', label: words('currentPassword'), kind: 'password', ...limits('currentPassword') },
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
  const shellWords = useTranslations('shell');
  return (
    <Card title={words('memberships')}>
      <QueryView query={useQuery(membershipsQuery)}>
        {(memberships) =>
          memberships.map(({ id, current, role, partnerName, orgName }) => {
            const name = orgName ?? partnerName ?? words('system');
            return (
              <ActRow key={id} act={current ? <Mark>{words('current')}</Mark> : <SwitchButton id={id} name={name} />}>
                <Text size="sm">
                  {name} · {orgName || partnerName ? role : shellWords('operator', { role })}
                </Text>
              </ActRow>
            );
          })
        }
      </QueryView>
    </Card>
  );
}
