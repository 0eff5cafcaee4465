import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { createDomain, deleteDomain, type Domain, domainsQuery, verifyDomain } from '../queries.ts';

function Record({ domain }: { readonly domain: Domain }) {
  const words = useTranslations('signOn');
  if (domain.verified) return null;
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {words('record')}
      </Text>
      <CopyText text={domain.recordName} />
      <CopyText text={domain.recordValue} />
    </Stack>
  );
}

function Row({ domain }: { readonly domain: Domain }) {
  const words = useTranslations('signOn');
  const { id, domain: name, verified } = domain;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <Badge size="sm" variant="light" tt="none" color={verified ? 'green' : 'yellow'} className="gh-status">
            {words(verified ? 'verified' : 'unverified')}
          </Badge>
        </Group>
        <Group gap="xs">
          {!verified && (
            <ConfirmButton
              label={words('verify')}
              title={words('verifyTitle', { domain: name })}
              size="xs"
              needs="POST /sso/domains/{id}/verify"
              changes={['sign-on']}
              act={() => verifyDomain(id)}
            >
              {words('verifyText')}
            </ConfirmButton>
          )}
          <ConfirmButton
            label={words('deleteDomain')}
            title={words('deleteDomainTitle', { domain: name })}
            size="xs"
            needs="DELETE /sso/domains/{id}"
            changes={['sign-on']}
            act={() => deleteDomain(id)}
          >
            {words('deleteDomainText')}
          </ConfirmButton>
        </Group>
      </Group>
      <Record domain={domain} />
    </Stack>
  );
}

/** The mail domains of an organisation and the proof of each. */
export function Domains({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('signOn');
  return (
    <Stack className="gh-card">
      <Group justify="space-between">
        <Title order={2}>{words('domains')}</Title>
        <FormButton
          label={words('addDomain')}
          size="xs"
          needs="POST /sso/domains"
          fields={[{ name: 'domain', label: words('domain'), ...inputLimits('POST /sso/domains', 'domain') }]}
          changes={['sign-on']}
          act={({ domain }) => createDomain(orgId, String(domain))}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {words('domainsText')}
      </Text>
      <QueryView query={useQuery(domainsQuery(orgId))}>
        {(domains) =>
          domains.length === 0 ? (
            <Text>{words('noDomains')}</Text>
          ) : (
            domains.map((domain) => <Row key={domain.id} domain={domain} />)
          )
        }
      </QueryView>
    </Stack>
  );
}
