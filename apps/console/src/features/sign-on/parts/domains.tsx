import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useCan } from '../../../api/me.ts';
import { ConfirmButton, FormButton, useAct } from '../../../ui/forms/act-button.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { shownDomain } from '../../../ui/text/mail-domain.ts';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { faultOf } from '../draft.ts';
import { type Domain, domainState } from '../model.ts';
import { createDomain, deleteDomain, domainsQuery, verifyDomain } from '../queries.ts';

const COLORS = { proven: 'green', unproven: 'yellow', refused: 'red' } as const;
const NAME_LENGTH = 80;

/** The record that proves the domain, to be made where its DNS is kept. */
function Record({ domain }: { readonly domain: Domain }) {
  const words = useTranslations('signOn');
  return (
    <Stack gap="xs">
      <Text size="sm">{words('record')}</Text>
      <Stack gap={2} align="flex-start">
        <Text className="gh-hint">{words('recordName')}</Text>
        <CopyText text={domain.recordName} />
      </Stack>
      <Stack gap={2} align="flex-start">
        <Text className="gh-hint">{words('recordValue')}</Text>
        <CopyText text={domain.recordValue} />
      </Stack>
    </Stack>
  );
}

/** Looks the record up now, and says what was found. */
function CheckNow({ id }: Pick<Domain, 'id'>) {
  const words = useTranslations('signOn');
  const act = useAct<void, unknown>(['sign-on'], () => verifyDomain(id));
  if (!useCan()('POST /sso/domains/{id}/verify')) return null;
  return (
    <>
      <Button size="xs" w="fit-content" loading={act.isPending} onClick={() => act.mutate()}>
        {words('verify')}
      </Button>
      {act.error && (
        <Alert color="red" variant="light" role="alert">
          {faultOf(act.error)} {words('verifyAgain')}
        </Alert>
      )}
    </>
  );
}

function Checked({ domain }: { readonly domain: Domain }) {
  const words = useTranslations('signOn');
  const { verifiedAt, lastCheckedAt } = domain;
  return (
    <Text size="sm" c="dimmed">
      {verifiedAt && (
        <>
          {words('provenSince')} <Instant at={verifiedAt} />
          {' · '}
        </>
      )}
      {lastCheckedAt ? (
        <>
          {words('lastChecked')} <Instant at={lastCheckedAt} />
        </>
      ) : (
        words('neverChecked')
      )}
    </Text>
  );
}

function Row({ domain }: { readonly domain: Domain }) {
  const words = useTranslations('signOn');
  const { id, domain: name } = domain;
  const state = domainState(domain);
  return (
    <Stack gap="xs" component="li" aria-label={name}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <SafeText value={shownDomain(name)} most={NAME_LENGTH} fw={600} />
          <Badge color={COLORS[state]}>{words(`domainStates.${state}`)}</Badge>
        </Group>
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
      <Checked domain={domain} />
      {state !== 'proven' && (
        <>
          <Record domain={domain} />
          <CheckNow id={id} />
        </>
      )}
    </Stack>
  );
}

/** The mail domains of an organisation and the proof of each. */
export function Domains({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('signOn');
  const can = useCan()('GET /sso/domains');
  const query = useQuery({ ...domainsQuery(orgId), enabled: can });
  if (!can) return null;
  return (
    <Stack className="gh-card" component="section">
      <Group justify="space-between">
        <Title order={2}>{words('domainsTitle')}</Title>
        <FormButton
          label={words('addDomain')}
          text={words('addDomainText')}
          size="xs"
          variant="default"
          needs="POST /sso/domains"
          action="add"
          fields={[{ name: 'domain', label: words('domain'), ...inputLimits('POST /sso/domains', 'domain') }]}
          changes={['sign-on']}
          act={({ domain }) => createDomain(orgId, String(domain))}
        />
      </Group>
      <Text className="gh-hint">{words('domainsText')}</Text>
      <QueryView query={query}>
        {(domains) =>
          domains.length === 0 ? (
            <Text>{words('noDomains')}</Text>
          ) : (
            <Stack gap="lg" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {domains.map((domain) => (
                <Row key={domain.id} domain={domain} />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </Stack>
  );
}
