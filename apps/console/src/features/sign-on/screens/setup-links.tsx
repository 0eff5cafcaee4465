import { type DataOf, ok } from '@gatehouse/client';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { useMe } from '../../../api/me.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, getQuery } from '../../../api/client.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { SecretOnce } from '../../../ui/forms/dialogs.tsx';
import { type Field, filledValues } from '../../../ui/forms/fields.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { useSending } from '../parts/renew-link.tsx';
import { SignOnPage } from '../parts/sign-on-page.tsx';
import { createSetupLink, presetsQuery, providersQuery, rolesQuery } from '../queries.ts';
import '../words.ts';

type SetupLink = DataOf<'/sso/setup-links', 'get'>['data'][number];

/** The set-up links of an organisation, the newest first. */
const setupLinksQuery = (orgId?: string) =>
  getQuery('sign-on', '/sso/setup-links', { query: { orgId }, select: ({ data }) => data });

const setupLinkQuery = (id: string) =>
  getQuery('sign-on', '/sso/setup-links/{id}', { path: { id }, select: ({ data }) => data });

/** Whose settings: of an organisation, else of the partner itself. */
const settingsOf = (orgId?: string) => ({ query: orgId ? { orgId } : { scope: 'partner' as const } });

/** Whether alerts about the providers carry a link to renew what runs out. */
const alertsQuery = (orgId?: string) =>
  getQuery('sign-on', '/sso/settings', { ...settingsOf(orgId), select: ({ data }) => data });

const setAlerts = (orgId: string | undefined, renewLinkInAlerts: boolean) =>
  ok(api.PUT('/sso/settings', { params: settingsOf(orgId), body: { renewLinkInAlerts } }));

const revokeSetupLink = (id: string) => ok(api.DELETE('/sso/setup-links/{id}', { params: { path: { id } } }));

const COLORS = { open: 'blue', completed: 'green', revoked: 'gray', expired: 'gray' } as const;
const ROUTE = 'POST /sso/setup-links';

const named = (things: readonly { id: string; name: string }[]) =>
  things.map(({ id, name }) => ({ value: id, label: name }));

function useFields(orgId: string): readonly Field[] {
  const words = useTranslations('signOn');
  const own = useTranslations('signOn.setupLinks');
  const providers = useQuery(providersQuery({ scope: 'organization', orgId })).data ?? [];
  const presets = useQuery(presetsQuery).data?.data ?? [];
  const roles = useQuery(rolesQuery('organization')).data ?? [];
  const choice = (name: string, label: string, choices: Field['choices'], more: Partial<Field> = {}): Field => ({
    name,
    label,
    kind: 'choice',
    ...(choices && { choices }),
    ...more,
  });
  const drafts = providers.filter(({ status }) => status !== 'active');
  const [recipient, life] = useSending();
  return [
    recipient,
    choice('providerId', own('provider'), named(drafts), { none: own('newProvider') }),
    choice('preset', own('preset'), named(presets), { none: own('anyPreset') }),
    choice('defaultRoleId', words('defaultRole'), named(roles), {
      none: own('noRole'),
      description: own('roleText'),
      when: ({ providerId }) => !providerId,
    }),
    life,
    { name: 'mayActivate', label: own('mayActivate'), kind: 'switch' },
  ];
}

/** Makes a link for the organisation, and hands its address on. */
function NewLink({ orgId, onMade }: { readonly orgId: string; readonly onMade: (url: string) => void }) {
  const own = useTranslations('signOn.setupLinks');
  return (
    <FormButton
      label={own('new')}
      text={own('newText')}
      needs={ROUTE}
      fields={useFields(orgId)}
      initial={{ expiresInHours: '168' }}
      changes={['sign-on']}
      act={({ defaultRoleId = '', ...values }) => {
        const filled = filledValues(values.providerId ? values : { ...values, defaultRoleId });
        return createSetupLink({ ...filled, expiresInHours: Number(values['expiresInHours']), orgId });
      }}
      onDone={({ data }) => onMade(data.url)}
    />
  );
}

/** Who has opened a link, read when it is asked for. */
function Visits({ link: { id, lastOpenedAt } }: { readonly link: SetupLink }) {
  const own = useTranslations('signOn.setupLinks');
  const [enabled, setEnabled] = useState(false);
  const visits = useQuery({ ...setupLinkQuery(id), enabled }).data?.visits ?? [];
  if (lastOpenedAt === null) return own('notOpened');
  return (
    <details onToggle={() => setEnabled(true)}>
      <summary>
        <Instant at={lastOpenedAt} />
      </summary>
      {visits.map(({ id: visitId, openedAt, ip }) => (
        <Text key={visitId} size="sm">
          <Instant at={openedAt} /> {ip}
        </Text>
      ))}
    </details>
  );
}

function useColumns(): readonly Column<SetupLink>[] {
  const words = useTranslations('signOn');
  const own = useTranslations('signOn.setupLinks');
  return [
    { id: 'recipient', header: own('recipient'), cell: ({ recipientEmail }) => recipientEmail ?? own('anybody') },
    { id: 'purpose', header: own('purpose'), cell: ({ purpose }) => own(`purposes.${purpose}`) },
    {
      id: 'status',
      header: words('status'),
      cell: ({ status }) => <Badge color={COLORS[status]}>{own(`statuses.${status}`)}</Badge>,
    },
    { id: 'made', header: own('made'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { id: 'expires', header: own('expires'), cell: ({ expiresAt }) => <Instant at={expiresAt} /> },
    { id: 'visits', header: own('visits'), cell: (link) => <Visits link={link} /> },
    {
      id: 'acts',
      header: own('acts'),
      bare: true,
      needs: 'DELETE /sso/setup-links/{id}',
      cell: ({ id, status, recipientEmail }) =>
        status === 'open' && (
          <ConfirmButton
            label={own('revoke')}
            title={own('revokeTitle')}
            size="xs"
            needs="DELETE /sso/setup-links/{id}"
            changes={['sign-on']}
            act={() => revokeSetupLink(id)}
          >
            {recipientEmail ?? own('anybody')}. {own('revokeText')}
          </ConfirmButton>
        ),
    },
  ];
}

/** Whether alerts of the organisation, else of the partner itself, carry a renewal link (SSO-132), and the switch. */
function LinksInAlerts({ orgId }: { readonly orgId?: string }) {
  const own = useTranslations('signOn.setupLinks');
  const alerts = useQuery(alertsQuery(orgId)).data;
  if (!alerts) return null;
  const on = String(alerts.renewLinkInAlerts);
  const label = own('setAlerts', { on });
  return (
    <Group justify="space-between">
      <Text size="sm">{own('alerts', { on })}</Text>
      <ConfirmButton
        label={label}
        title={label}
        size="xs"
        needs="PUT /sso/settings"
        changes={['sign-on']}
        act={() => setAlerts(orgId, !alerts.renewLinkInAlerts)}
      >
        {own('alertsText')}
      </ConfirmButton>
    </Group>
  );
}

/** The links with which administrators without an account set up single sign-on of the chosen organisation. */
export function SetupLinks() {
  const own = useTranslations('signOn.setupLinks');
  const orgId = useOrg();
  const [url, setUrl] = useState<string | null>(null);
  const isOfPartner = useMe().scope === 'partner';
  const columns = useColumns();
  const query = useQuery({ ...setupLinksQuery(orgId), enabled: orgId !== undefined });
  const create = orgId && <NewLink orgId={orgId} onMade={setUrl} />;
  return (
    <SignOnPage title={own('title')} actions={create}>
      {orgId ? (
        <Stack>
          <Text size="sm">{own('text')}</Text>
          <LinksInAlerts orgId={orgId} />
          {url && <SecretOnce label={own('link')} secret={url} />}
          <QueryView query={query}>
            {(links) =>
              links.length === 0 ? (
                <EmptyView title={own('none')} text={own('noneText')} />
              ) : (
                <DataTable label={own('title')} columns={columns} rows={links} idOf={({ id }) => id} />
              )
            }
          </QueryView>
        </Stack>
      ) : (
        <Stack>
          {isOfPartner && <LinksInAlerts />}
          <ChooseOrganization stays />
        </Stack>
      )}
    </SignOnPage>
  );
}
