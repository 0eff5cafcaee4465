import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { changedValues, filledValues } from '../../../ui/forms/fields.ts';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { createSite, deleteSite, type Site, updateSite } from '../queries.ts';
import { sitesQuery } from '../../../ui/place/queries.ts';

const CHANGE = 'PATCH /orgs/sites/{id}';
const CHANGES = ['sites', 'organizations'];

function Acts({ site: { id, name, timezone } }: { readonly site: Site }) {
  const words = useTranslations('organizations');
  const stored = { name, timezone };
  const title = words('editSiteTitle', { name });
  return (
    <Group gap="xs">
      <FormButton
        label={words('editSite')}
        title={title}
        aria-label={title}
        size="xs"
        variant="default"
        needs={CHANGE}
        fields={[
          { name: 'name', label: words('name'), required: true, ...inputLimits(CHANGE, 'name') },
          { name: 'timezone', label: words('timezone'), required: true, ...inputLimits(CHANGE, 'timezone') },
        ]}
        initial={stored}
        changes={[...CHANGES, 'devices']}
        act={(values) => updateSite(id, changedValues(stored, values))}
      />
      <ConfirmButton
        label={words('deleteSite')}
        title={words('deleteSiteTitle', { name })}
        size="xs"
        needs="DELETE /orgs/sites/{id}"
        name={name}
        changes={CHANGES}
        act={() => deleteSite(id)}
      >
        {words('deleteSiteText')}
      </ConfirmButton>
    </Group>
  );
}

function Row({ site, frozen }: { readonly site: Site; readonly frozen: boolean }) {
  const { id, orgId, name, timezone } = site;
  return (
    <ActRow act={!frozen && <Acts site={site} />}>
      <Text size="sm">
        <Link to="/devices" search={{ org: orgId, site: id }}>
          {name}
        </Link>{' '}
        · {timezone}
      </Text>
    </ActRow>
  );
}

/** The sites of an organisation. */
export function Sites({ orgId, frozen }: { readonly orgId: string; readonly frozen: boolean }) {
  const words = useTranslations('organizations');
  return (
    <Stack className="gh-card">
      <Group justify="space-between">
        <Title order={2}>{words('sites')}</Title>
        {!frozen && (
          <FormButton
            label={words('newSite')}
            size="xs"
            variant="default"
            needs="POST /orgs/sites"
            action="create"
            fields={[
              { name: 'name', label: words('name'), ...inputLimits('POST /orgs/sites', 'name') },
              { name: 'timezone', label: words('timezone'), ...inputLimits('POST /orgs/sites', 'timezone') },
            ]}
            initial={{ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }}
            changes={CHANGES}
            act={(values) => createSite({ ...filledValues(values), orgId, name: String(values['name']) })}
          />
        )}
      </Group>
      <QueryView query={useQuery(sitesQuery(orgId))}>
        {(sites) =>
          sites.length === 0 ? (
            <Text c="dimmed">{words('noSites')}</Text>
          ) : (
            sites.map((site) => <Row key={site.id} site={site} frozen={frozen} />)
          )
        }
      </QueryView>
    </Stack>
  );
}
