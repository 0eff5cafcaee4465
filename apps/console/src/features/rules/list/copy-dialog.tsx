import { Button, List, MultiSelect, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { wordsForCode } from '../../../api/problem.ts';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useLabelOf } from '../../../ui/use-org.tsx';
import type { Rule } from '../model.ts';
import { copyRule, organizationsQuery, useRuleAct } from '../queries.ts';

const MAX_TARGETS = 100;
const DEBOUNCE_MS = 200;

interface CopyDialogProps {
  readonly rule: Rule;
  readonly onClose: () => void;
}

type Named = Readonly<Record<string, string>>;
type Copies = Awaited<ReturnType<typeof copyRule>>;

/** What became of the rule in each organisation. */
function Results({ copies, names }: { readonly copies: Copies; readonly names: Named }) {
  const words = useTranslations('rules.copy');
  return (
    <List size="sm" role="status">
      {copies.map(({ orgId, ruleId, code }) => (
        <List.Item key={orgId}>
          {names[orgId] ?? orgId}:{' '}
          {ruleId ? (
            <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId, ruleId }}>
              {words('done')}
            </Link>
          ) : (
            wordsForCode(code ?? 'conflict')
          )}
        </List.Item>
      ))}
    </List>
  );
}

interface TargetsProps {
  readonly rule: Rule;
  readonly value: readonly string[];
  readonly names: Named;
  readonly onChange: (ids: string[], names: Named) => void;
}

/** Searches for organisations; those that were chosen stay when the search goes on. */
function Targets({ rule, value, names, onChange }: TargetsProps) {
  const words = useTranslations('rules.copy');
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, DEBOUNCE_MS);
  const found = useQuery(organizationsQuery(settled)).data ?? [];
  const labelOf = useLabelOf(found);
  const known: Named = { ...names, ...Object.fromEntries(found.map((one) => [one.id, labelOf(one)])) };
  const offered = [...new Set([...value, ...found.map(({ id }) => id)])].filter((id) => id !== rule.orgId);
  return (
    <MultiSelect
      label={words('to')}
      data={offered.map((id) => ({ value: id, label: known[id] ?? id }))}
      value={[...value]}
      maxValues={MAX_TARGETS}
      searchable
      data-autofocus
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(ids) => onChange(ids, known)}
    />
  );
}

/** Copies a rule as it is; one organisation that refuses does not hinder the others. */
export function CopyDialog({ rule, onClose }: CopyDialogProps) {
  const words = useTranslations('rules.copy');
  const [orgIds, setOrgIds] = useState<readonly string[]>([]);
  const [names, setNames] = useState<Named>({});
  const act = useRuleAct(copyRule);
  const submit = () => act.mutate({ id: rule.id, orgId: rule.orgId, orgIds });
  const change = (ids: string[], known: Named) => {
    setOrgIds(ids);
    setNames(known);
  };
  return (
    <Dialog title={words('title', { name: rule.name })} orgId={rule.orgId} opened onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          <Text size="sm">{words('text')}</Text>
          <Targets {...{ rule, names }} value={orgIds} onChange={change} />
          {act.data && <Results copies={act.data} names={names} />}
          <Refusal error={act.error} />
          {act.isSuccess ? (
            <Button variant="default" onClick={onClose}>
              {words('close')}
            </Button>
          ) : (
            <FormActions
              label={words('copy')}
              saving={act.isPending}
              disabled={orgIds.length === 0}
              onCancel={onClose}
            />
          )}
        </Stack>
      </form>
    </Dialog>
  );
}
