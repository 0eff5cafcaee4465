import { Group, Stack, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useCan } from '../../../api/me.ts';
import { VersionedFormButton } from '../../../ui/conflicts/versioned-form-button.tsx';
import { ConfirmButton, FormButton, Opener } from '../../../ui/forms/act-button.tsx';
import { MoreActions } from '../../../ui/forms/acts-menu.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { changedValues, type Values } from '../../../ui/forms/fields.ts';
import { FreezeButton } from '../../../ui/elevation/freeze-button.tsx';
import { OrganizationScreen } from '../../../ui/place/organization-screen.tsx';
import { isFrozen } from '../../../ui/place/queries.ts';
import { Keys } from '../parts/keys.tsx';
import { Sites } from '../parts/sites.tsx';
import {
  archiveOrganization,
  deleteOrganization,
  type Organization,
  readOrganization,
  restoreOrganization,
  summariesQuery,
  updateOrganization,
} from '../queries.ts';
import { OrganizationStatus } from '../parts/order-buttons.tsx';
import '../words.ts';

const route = getRouteApi('/orgs/$orgId');
const CHANGES = ['organizations', 'devices', 'approvals'];
const ACTS = [
  'POST /orgs/organizations/{id}/merge',
  'POST /orgs/organizations/{id}/archive',
  'DELETE /orgs/organizations/{id}',
  'POST /pam/freezes',
] as const;

function Overview({ org }: { readonly org: string }) {
  const words = useTranslations('organizations');
  const summary = useQuery(summariesQuery([org])).data?.get(org);
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('overview')}</Title>
      {summary && (
        <Facts
          facts={[
            {
              name: words('devices'),
              value: (
                <Link to="/devices" search={{ org }}>
                  {words('online', { online: summary.devicesOnline, devices: summary.devices })}
                </Link>
              ),
            },
            {
              name: words('waiting'),
              value: (
                <Link to="/approvals" search={{ org }}>
                  {summary.waiting}
                </Link>
              ),
            },
            {
              name: words('active'),
              value: (
                <Link to="/active" search={{ org }}>
                  {summary.active}
                </Link>
              ),
            },
            { name: words('people'), value: summary.people },
            { name: words('signOn'), value: words(`sso.${summary.sso}`) },
          ]}
        />
      )}
    </Stack>
  );
}

const valuesOf = ({ name, maxDevices }: Organization): Values => ({ name, maxDevices: maxDevices ?? '' });

function EditButton({ organization }: { readonly organization: Organization }) {
  const words = useTranslations('organizations');
  return (
    <VersionedFormButton
      label={words('edit')}
      name={organization.name}
      orgId={null}
      variant="default"
      needs="PATCH /orgs/organizations/{id}"
      audited="organization.update"
      fields={[
        {
          name: 'name',
          label: words('name'),
          required: true,
          ...inputLimits('PATCH /orgs/organizations/{id}', 'name'),
        },
        { name: 'maxDevices', label: words('maxDevices'), kind: 'number' },
      ]}
      stored={organization}
      valuesOf={valuesOf}
      read={() => readOrganization(organization.id)}
      save={(stored, values) => updateOrganization(stored, changedValues(valuesOf(stored), values))}
      changes={CHANGES}
    />
  );
}

function DeleteButton({ organization: { id, name } }: { readonly organization: Organization }) {
  const words = useTranslations('organizations');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // The page of what is gone is left before anything is read anew.
  const leave = async () => {
    await navigate({ to: '/orgs' });
    for (const feature of CHANGES) void queryClient.invalidateQueries({ queryKey: [feature] });
  };
  return (
    <ConfirmButton
      label={words('delete')}
      title={words('deleteTitle', { name })}
      needs="DELETE /orgs/organizations/{id}"
      color="red"
      name={name}
      orgId={null}
      changes={[]}
      act={() => deleteOrganization(id)}
      onDone={() => void leave()}
    >
      {words('deleteText')}
    </ConfirmButton>
  );
}

function Actions({ organization }: { readonly organization: Organization }) {
  const words = useTranslations('organizations');
  const can = useCan();
  const navigate = useNavigate();
  const { id, name, status } = organization;
  const toMerge = () => void navigate({ to: '/orgs/$orgId/merge', params: { orgId: id } });
  if (status === 'archived') {
    return (
      <ConfirmButton
        label={words('restore')}
        title={words('restoreTitle', { name })}
        needs="POST /orgs/organizations/{id}/restore"
        orgId={null}
        changes={CHANGES}
        act={() => restoreOrganization(id)}
      >
        {words('restoreText')}
      </ConfirmButton>
    );
  }
  if (isFrozen(organization)) return null;
  return (
    <Group gap="xs">
      <EditButton organization={organization} />
      <MoreActions needs={ACTS}>
        {can('POST /orgs/organizations/{id}/merge') && <Opener onClick={toMerge}>{words('merge')}</Opener>}
        <FreezeButton level="organization" targetId={id} name={name} />
        <FormButton
          label={words('archive')}
          color="red"
          orgId={null}
          title={words('archiveTitle', { name })}
          text={words('archiveText')}
          needs="POST /orgs/organizations/{id}/archive"
          fields={[{ name: 'retentionDays', label: words('retention'), kind: 'number' }]}
          changes={CHANGES}
          act={({ retentionDays }) => archiveOrganization(id, typeof retentionDays === 'number' ? retentionDays : null)}
        />
        <DeleteButton organization={organization} />
      </MoreActions>
    </Group>
  );
}

/** One organisation: its figures, its sites and the keys of its devices. */
export function OrganizationPage() {
  const { orgId } = route.useParams();
  // People of an organisation have these figures on their overview.
  const hasFigures = useCan()('GET /orgs/organizations/summary');
  return (
    <OrganizationScreen
      orgId={orgId}
      aside={({ status }) => <OrganizationStatus status={status} />}
      actions={(organization) => <Actions organization={organization} />}
    >
      {(_, frozen) => (
        <div className={hasFigures ? 'gh-columns' : undefined}>
          <Stack>
            <Sites orgId={orgId} frozen={frozen} />
            <Keys orgId={orgId} frozen={frozen} />
          </Stack>
          {hasFigures && <Overview org={orgId} />}
        </div>
      )}
    </OrganizationScreen>
  );
}
