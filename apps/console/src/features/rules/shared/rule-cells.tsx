import { CRITERIA } from '@gatehouse/client';
import { Group, Text } from '@mantine/core';
import { useLocale, useTranslations } from 'use-intl';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { type Criterion, CRITERION_NAMES, type ListedRule, weekOf } from '../model.ts';
import { useSignerGroups } from '../queries.ts';

const VALUE_LENGTH = 40;
const HASH_LENGTH = 16;

/** The hours and days on which a rule holds, with the zone that it names. */
function Hours({ window: { start, end, days, timezone } }: { readonly window: NonNullable<ListedRule['timeWindow']> }) {
  const words = useTranslations('rules');
  const names = weekOf(useLocale())
    .filter((day) => days?.includes(day))
    .map((day) => words(`days.d${day}`));
  return (
    <Text size="sm">
      {words('hours', { start, end, zone: timezone ?? 'UTC' })} {names.join(', ')}
    </Text>
  );
}

/** What a signer group is called, where the reader may know its owner's groups. */
function GroupName({ rule: { orgId, matchSignerGroupId } }: { readonly rule: ListedRule }) {
  const words = useTranslations('rules');
  const { isReadable, groups } = useSignerGroups(orgId);
  const name = groups.find(({ id }) => id === matchSignerGroupId)?.name;
  if (!isReadable) return words('partnerGroup');
  return <SafeText value={name ?? String(matchSignerGroupId)} most={VALUE_LENGTH} />;
}

function Value({ rule, name }: { readonly rule: ListedRule; readonly name: Criterion }) {
  if (name === 'signerGroup') return <GroupName rule={rule} />;
  return (
    <SafeText
      value={String(rule[CRITERIA[name]])}
      path={name === 'pathGlob'}
      most={name === 'hash' ? HASH_LENGTH : VALUE_LENGTH}
    />
  );
}

/** What a rule looks at. */
export function Criteria({ rule }: { readonly rule: ListedRule }) {
  const words = useTranslations('rules');
  return (
    <Group gap={6}>
      {CRITERION_NAMES.filter((name) => rule[CRITERIA[name]] !== null).map((name) => (
        <Text key={name} size="sm">
          {words(`criterion.${name}`)} {words(rule.matchNegate?.includes(name) ? 'isNot' : 'is')}{' '}
          <Value {...{ rule, name }} />
        </Text>
      ))}
      {rule.timeWindow && <Hours window={rule.timeWindow} />}
    </Group>
  );
}

/** How often a rule decided lately, and when it last did. */
export function Usage({ rule: { matches30d, lastMatchedAt } }: { readonly rule: ListedRule }) {
  const words = useTranslations('rules');
  return (
    <Text size="sm">
      {words('matches', { count: matches30d })}
      {lastMatchedAt && (
        <Text span size="xs" c="dimmed" display="block">
          <Instant at={lastMatchedAt} />
        </Text>
      )}
    </Text>
  );
}
