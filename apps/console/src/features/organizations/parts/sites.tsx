import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { filledValues } from '../../../ui/forms/fields.ts';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { createSite, deleteSite, type Site, sitesQuery } from '../queries.ts';

function Row({ site: { id, orgId, name, timezone }, frozen }: { readonly site: Site; readonly frozen: boolean }) {
  const words = useTranslations('organizations');
  return (
    <ActRow
      act={
        !frozen && (
          <ConfirmButton
            label={words('deleteSite')}
            title={words('deleteSiteTitle', { name })}
            size="xs"
            needs="DELETE /orgs/sites/{id}"
            name={name}
            changes={['sites', 'organizations']}
            act={() => deleteSite(id)}
          >
            {words('deleteSiteText')}
          </ConfirmButton>
        )
      }
    >
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
            needs="POST /orgs/sites"
            fields={[
              { name: 'name', label: words('name'), ...inputLimits('POST /orgs/sites', 'name') },
              { name: 'timezone', label: words('timezone'), ...inputLimits('POST /orgs/sites', 'timezone') },
            ]}
            initial={{ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }}
            changes={['sites', 'organizations']}
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
