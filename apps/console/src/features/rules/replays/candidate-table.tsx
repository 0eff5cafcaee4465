import { ActionIcon, Badge, Button, Group, Switch, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '../../../ui/icons.tsx';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Choice } from '../../../ui/forms/inputs.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { type Rule, type RuleChange, VERDICTS } from '../model.ts';
import { type Candidate, type Line, linesOf, withMoved, withPatch, withToggled } from './candidate.ts';

interface CandidateTableProps {
  readonly orgId: string;
  readonly rules: readonly Rule[];
  readonly candidate: Candidate;
  readonly onChange: (candidate: Candidate) => void;
}

type LineState = 'added' | 'removed' | 'changed';

function stateOf({ isAdded, isRemoved, isChanged }: Line): LineState | null {
  if (isAdded) return 'added';
  if (isRemoved) return 'removed';
  return isChanged ? 'changed' : null;
}

const COLORS: Readonly<Record<LineState, string>> = { added: 'green', removed: 'red', changed: 'orange' };

function LineName({ line, orgId }: { readonly line: Line; readonly orgId: string }) {
  const words = useTranslations('rules.replays.lineStates');
  const { id, name, isAdded } = line;
  const state = stateOf(line);
  return (
    <Group gap="xs">
      {isAdded ? (
        name
      ) : (
        <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId, ruleId: id }}>
          {name}
        </Link>
      )}
      {state && <Badge color={COLORS[state]}>{words(state)}</Badge>}
    </Group>
  );
}

interface PlaceProps extends CandidateTableProps {
  readonly line: Line;
  readonly lines: readonly Line[];
}

function Place({ line, lines, candidate, onChange }: PlaceProps) {
  const words = useTranslations('rules.replays');
  const place = lines.indexOf(line);
  const move = (to: number) => () => onChange(withMoved(candidate, lines, line.id, to));
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        aria-label={words('moveUp', { name: line.name })}
        disabled={place === 0}
        onClick={move(place - 1)}
      >
        <IconArrowUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={words('moveDown', { name: line.name })}
        disabled={place === lines.length - 1}
        onClick={move(place + 1)}
      >
        <IconArrowDown size={14} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

type Patch = (line: Line, change: RuleChange) => void;

/** What of a rule can be changed in its row; the editor of the rule changes the rest. */
function useFields(patch: Patch): readonly Column<Line>[] {
  const words = useTranslations('rules');
  const isFixed = ({ isRemoved, isAdded }: Line) => isRemoved || isAdded;
  return [
    {
      id: 'verdict',
      header: words('verdict'),
      cell: (line) => (
        <Choice
          size="xs"
          w={150}
          aria-label={words('replays.verdictOf', { name: line.name })}
          data={VERDICTS.map((value) => ({ value, label: words(`verdicts.${value}`) }))}
          value={line.verdict}
          disabled={isFixed(line)}
          onChange={(verdict) => verdict && patch(line, { verdict })}
        />
      ),
    },
    {
      id: 'enabled',
      header: words('enabled'),
      cell: (line) => (
        <Switch
          aria-label={words('replays.isOn', { name: line.name })}
          checked={line.enabled}
          disabled={isFixed(line)}
          onChange={({ currentTarget }) => patch(line, { enabled: currentTarget.checked })}
        />
      ),
    },
  ];
}

function useColumns(props: CandidateTableProps, lines: readonly Line[]): readonly Column<Line>[] {
  const words = useTranslations('rules');
  const { orgId, rules, candidate, onChange } = props;
  const fields = useFields(({ id }, change) => {
    const rule = rules.find((one) => one.id === id);
    if (rule) onChange(withPatch(candidate, rule, change));
  });
  return [
    { id: 'order', header: words('order'), cell: (line) => <Place {...props} line={line} lines={lines} /> },
    { id: 'name', header: words('name'), cell: (line) => <LineName {...{ line, orgId }} /> },
    ...fields,
    {
      id: 'acts',
      header: words('acts'),
      bare: true,
      cell: (line) => (
        <Button size="xs" variant="default" onClick={() => onChange(withToggled(candidate, line))}>
          {words(line.isRemoved ? 'replays.restore' : 'replays.remove')}
        </Button>
      ),
    },
  ];
}

/** The rules of the candidate: each can be moved, changed and removed without any effect. */
export function CandidateTable(props: CandidateTableProps) {
  const words = useTranslations('rules');
  const lines = linesOf(props.rules, props.candidate);
  const columns = useColumns(props, lines);
  if (lines.length === 0) return <Text size="sm">{words('noOwn')}</Text>;
  return <DataTable label={words('replays.candidate')} columns={columns} rows={lines} idOf={({ id }) => id} />;
}
