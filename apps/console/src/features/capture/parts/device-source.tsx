import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { isUnanswered } from '../../../api/problem.ts';
import { QueryView } from '../../../ui/state-views.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { effectiveQuery, LEVELS, policyQuery } from '../policies.ts';
import { PlaceChoice } from './place-choice.tsx';
import { StateBadge } from './settings-card.tsx';

/** Links to the policy that decided, where the caller may read it. */
function PolicyName({ id, org }: { readonly id: string; readonly org: string | undefined }) {
  const words = useTranslations('captureLevels');
  const { data, error } = useQuery({ ...policyQuery(id), retry: false });
  if (error) return isUnanswered(error) ? null : words('hiddenPolicy');
  return (
    <Link to="/rules/capture/$policyId" params={{ policyId: id }} search={org ? { org } : {}}>
      {data?.name}
    </Link>
  );
}

function Source({ device, org }: { readonly device: string; readonly org: string | undefined }) {
  const words = useTranslations('captureLevels');
  return (
    <QueryView query={useQuery(effectiveQuery(device))}>
      {({ uacInterceptionEnabled, source }) => {
        const level = LEVELS.find((one) => one === source?.level);
        return (
          <Facts
            facts={[
              { name: words('state'), value: <StateBadge on={uacInterceptionEnabled} /> },
              { name: words('decidedBy'), value: level ? words(`by.${level}`) : words('by.default') },
              { name: words('policy'), value: source && <PolicyName id={source.policyId} org={org} /> },
            ]}
          />
        );
      }}
    </QueryView>
  );
}

interface DeviceSourceProps {
  readonly org: string | undefined;
  readonly device: string | undefined;
  readonly onDevice: (id: string | null) => void;
}

/** What is in effect for one device, and which level decided it. */
export function DeviceSource({ org, device, onDevice }: DeviceSourceProps) {
  const words = useTranslations('captureLevels');
  return (
    <Stack className="gh-card" gap="sm">
      <Title order={2}>{words('deviceTitle')}</Title>
      <Text className="gh-hint">{words('deviceText')}</Text>
      <PlaceChoice
        label={words('levels.device')}
        level="device"
        orgId={org}
        value={device ?? null}
        onChange={onDevice}
      />
      {device && <Source device={device} org={org} />}
    </Stack>
  );
}
