import { Badge, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { isUnanswered } from '../../../api/problem.ts';
import { PolicySteps } from '../../../ui/policies/policy-steps.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { LEVELS } from '../../../ui/place/tree/queries.ts';
import { Facts } from '../../../ui/text/facts.tsx';
import { capturePolicyQuery, configurationQuery, type Device, unmatchedQuery, useDevice } from '../queries.ts';
import '../words.ts';

/** The policy that decided, where the caller may read it. */
function PolicyName({ id, org }: { readonly id: string; readonly org: string }) {
  const words = useTranslations('devices');
  const { data, error } = useQuery(capturePolicyQuery(id));
  if (error) return isUnanswered(error) ? null : words('hiddenPolicy');
  return (
    <Link to="/rules/capture/$policyId" params={{ policyId: id }} search={{ org }}>
      {data?.name}
    </Link>
  );
}

function Capture({ device: { id, orgId } }: { readonly device: Device }) {
  const words = useTranslations('devices');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('capture')}</Title>
      <QueryView query={useQuery(configurationQuery(id))}>
        {({ pam: { uacInterceptionEnabled, source } }) => {
          const level = LEVELS.find((one) => one === source?.level) ?? 'default';
          const state = (
            <Badge size="md" color={uacInterceptionEnabled ? 'green' : 'gray'}>
              {words(uacInterceptionEnabled ? 'captureOn' : 'captureOff')}
            </Badge>
          );
          return (
            <Facts
              facts={[
                { name: words('status'), value: state },
                { name: words('decidedBy'), value: words(`by.${level}`) },
                { name: words('policy'), value: source && <PolicyName id={source.policyId} org={orgId} /> },
              ]}
            />
          );
        }}
      </QueryView>
      <Link to="/rules/capture" search={{ org: orgId, device: id }}>
        {words('toCapture')}
      </Link>
    </Stack>
  );
}

function Unmatched({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('devices');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('unmatched')}</Title>
      <QueryView query={useQuery(unmatchedQuery(orgId))}>
        {({ defaultUnmatchedVerdict, defaultApprovalMinutes }) => (
          <Facts
            facts={[
              { name: words('then'), value: words(`verdicts.${defaultUnmatchedVerdict}`) },
              { name: words('duration'), value: words('minutes', { minutes: defaultApprovalMinutes }) },
              { name: words('decidedBy'), value: words('by.organization') },
            ]}
          />
        )}
      </QueryView>
      <Link to="/settings/defaults" search={{ org: orgId }}>
        {words('toDefaults')}
      </Link>
    </Stack>
  );
}

function Policies({ device: { id, orgId, siteId, groupIds } }: { readonly device: Device }) {
  const words = useTranslations('devices');
  const { partnerId } = useMe();
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('softwarePolicies')}</Title>
      <PolicySteps position={{ partnerId, orgId, siteId, groupIds, deviceId: id }} orgId={orgId} />
      <Link to="/rules/software-policies" search={{ org: orgId }}>
        {words('toPolicies')}
      </Link>
    </Stack>
  );
}

/** What is in effect for a device, and which level decided it. */
export function DeviceConfiguration() {
  const device = useDevice();
  const can = useCan();
  return (
    <div className="gh-columns">
      {can('GET /pam/software-policies') && <Policies device={device} />}
      <Stack>
        <Capture device={device} />
        {can('GET /pam/config') && <Unmatched orgId={device.orgId} />}
      </Stack>
    </div>
  );
}
