import { Badge, List, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { type Fact, Facts } from '../../../ui/text/facts.tsx';
import { Transitions } from '../effect/changes.tsx';
import { LintList } from '../lint/lint-list.tsx';
import type { Rule } from '../model.ts';
import type { Replay, ReplaySummary } from './queries.ts';

const COLORS: Readonly<Record<Replay['state'], string>> = {
  queued: 'gray',
  running: 'blue',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
};

/** How far a replay is, in words and colour. */
export function StateBadge({ state }: Pick<Replay, 'state'>) {
  const words = useTranslations('rules.replays.states');
  return <Badge color={COLORS[state]}>{words(state)}</Badge>;
}

interface SummaryProps {
  readonly summary: ReplaySummary;
  readonly orgId: string;
  readonly rules: readonly Rule[];
}

type Count = ReplaySummary['perRule'][number];

/** How many requests each rule decides, now and then. */
function PerRule({ summary, rules }: SummaryProps) {
  const words = useTranslations('rules.replays');
  const nameOf = ({ ref, ruleId }: Count) =>
    ref ? words('addedRule', { ref }) : (rules.find(({ id }) => id === ruleId)?.name ?? words('goneRule'));
  const columns: readonly Column<Count>[] = [
    { id: 'rule', header: words('rule'), cell: nameOf },
    { id: 'before', header: words('before'), cell: ({ before }) => before },
    { id: 'after', header: words('after'), cell: ({ after }) => after },
  ];
  const counts = summary.perRule.filter(({ before, after }) => before !== after);
  if (counts.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2}>{words('perRule')}</Title>
      <DataTable
        label={words('perRule')}
        columns={columns}
        rows={counts}
        idOf={({ ref, ruleId }) => ref ?? ruleId ?? ''}
      />
    </Stack>
  );
}

/** What the replay found, and what it cannot know. */
export function Summary(props: SummaryProps) {
  const words = useTranslations('rules.replays');
  const effectWords = useTranslations('rules.effect');
  const { summary, orgId, rules } = props;
  const facts: readonly Fact[] = [
    { name: words('newlyAutoApproved'), value: summary.newlyAutoApproved },
    { name: words('newlyDenied'), value: summary.newlyDenied },
    { name: words('newlyIgnored'), value: summary.newlyIgnored },
    { name: words('newlyPending'), value: summary.newlyPending },
    { name: words('devices'), value: summary.devicesAffected },
  ];
  return (
    <>
      <Stack className="gh-card">
        <Title order={2}>{words('summary')}</Title>
        <Text fw={600}>{effectWords('changed', { changed: summary.changed, total: summary.totalScanned })}</Text>
        <Transitions transitions={summary.transitions} />
        <Facts facts={facts} />
        <List size="sm" c="dimmed">
          {summary.caveats.map((caveat) => (
            <List.Item key={caveat}>{words(`caveats.${caveat}`)}</List.Item>
          ))}
        </List>
        <LintList findings={summary.lint} {...{ rules, orgId }} />
      </Stack>
      <PerRule {...props} />
    </>
  );
}
