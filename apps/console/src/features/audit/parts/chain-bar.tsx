import { Button, Group, Menu, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { wordsFor } from '../../../api/problem.ts';
import { runJob } from '../../../shell/jobs/jobs.ts';
import { Choice } from '../../../ui/forms/choice.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { notifyRefused } from '../../../ui/notify.ts';
import type { AuditFilter } from '../model.ts';
import { checkpointsQuery, exportAddress, type ExportFormat, partnersQuery, verify } from '../queries.ts';
import { VerdictView } from './verdict.tsx';

interface ChainBarProps {
  readonly filter: AuditFilter;
  /** A partner's id or `system`; the reader's own chain without it. */
  readonly chain: string | undefined;
  readonly onChain: (chain: string | undefined) => void;
}

function ExportMenu({ filter, chain }: Omit<ChainBarProps, 'onChain'>) {
  const words = useTranslations('audit');
  const download = useMutation({
    mutationFn: (format: ExportFormat) => exportAddress(filter, chain, format),
    onSuccess: (url) => location.assign(url),
    onError: notifyRefused,
  });
  if (!useCan()('POST /audit-logs/exports')) return null;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={download.isPending}>
          {words('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['jsonl', 'csv'] as const).map((format) => (
          <Menu.Item key={format} onClick={() => download.mutate(format)}>
            {words(format)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The verification goes on, and tells its verdict, while other screens are open. */
function useVerification(chain: string | undefined) {
  const words = useTranslations('audit');
  const run = async () => {
    const verdict = verify(chain);
    const work = async () => words((await verdict).valid ? 'verified.valid' : 'verified.invalid');
    await runJob({ label: words('verify'), work, explain: wordsFor });
    return { verdict: await verdict, at: Date.now() };
  };
  return useMutation({ mutationFn: run });
}

/** Operators choose among the chains: each partner has one, and the system has one. */
function ChainChoice({ chain, onChain }: Omit<ChainBarProps, 'filter'>) {
  const words = useTranslations('audit');
  const partners = useQuery(partnersQuery).data ?? [];
  const isListed = !chain || partners.some(({ id }) => id === chain);
  return (
    <Choice
      label={words('chain')}
      description={words('chainText')}
      none={words('systemChain')}
      data={[
        ...partners.map(({ id, name }) => ({ value: id, label: name })),
        ...(isListed ? [] : [{ value: chain, label: chain }]),
      ]}
      value={chain ?? null}
      onChange={(next) => onChain(next ?? undefined)}
    />
  );
}

function Checkpoint({ chain }: Pick<ChainBarProps, 'chain'>) {
  const words = useTranslations('audit');
  const format = useFormatter();
  const { data } = useQuery(checkpointsQuery(chain));
  const newest = data?.at(-1);
  if (!data) return null;
  if (!newest) return words('noCheckpoint');
  const time = format.dateTime(new Date(newest.signedAt), { dateStyle: 'medium', timeStyle: 'short' });
  return words('checkpoint', { time, length: newest.length });
}

/** The chain's newest checkpoint, its verification, and the export of what the filter shows. */
export function ChainBar({ filter, chain, onChain }: ChainBarProps) {
  const words = useTranslations('audit');
  const check = useVerification(chain);
  const isOperator = useMe().scope === 'system';
  return (
    <>
      {isOperator && <ChainChoice chain={chain} onChain={onChain} />}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          <Checkpoint chain={chain} />
        </Text>
        <Group gap="xs">
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            {words('verify')}
          </Button>
          <ExportMenu filter={filter} chain={chain} />
        </Group>
      </Group>
      {check.data && <VerdictView {...check.data} />}
      <Refusal error={check.error} />
    </>
  );
}
