import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { wordsFor } from '../../../api/problem.ts';
import { dismissJob, runJob } from '../../../shell/jobs/jobs.ts';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { IconShieldCheck, IconShieldX } from '../../../ui/icons.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { Hash } from '../../../ui/text/copy-text.tsx';
import type { AuditFilter } from '../model.ts';
import { checkpointsQuery, type Verdict, verify } from '../queries.ts';

/** Loaded after the entries. */
const PartnerSelect = lazyPart(async () => ({
  default: (await import('../../../ui/place/partner-select.tsx')).PartnerSelect,
}));
const ExportMenu = lazyPart(async () => ({ default: (await import('./export-menu.tsx')).ExportMenu }));

/** What the verification found, in plain words. */
function VerdictView({ verdict, at }: { readonly verdict: Verdict; readonly at: number }) {
  const words = useTranslations('audit.verified');
  const format = useFormatter();
  const { valid, length, head, firstBadSequence = 0, publishedCheckpoint } = verdict;
  const Icon = valid ? IconShieldCheck : IconShieldX;
  return (
    <Alert
      color={valid ? 'green' : 'red'}
      variant="light"
      role="status"
      className="gh-verdict"
      icon={<Icon aria-hidden />}
      title={words(valid ? 'valid' : 'invalid')}
    >
      <Text size="sm">
        {valid ? words('validText', { length }) : words('invalidText', { sequence: firstBadSequence })}
      </Text>
      {publishedCheckpoint && <Text size="sm">{words('unpublished')}</Text>}
      <Group gap={6}>
        <Text size="sm">{words('at', { time: format.dateTime(at, 'moment') })}</Text>
        <Hash value={head} />
      </Group>
    </Alert>
  );
}

interface ChainBarProps {
  readonly filter: AuditFilter;
  /** A partner's id or `system`; the reader's own chain without it. */
  readonly chain: string | undefined;
  readonly onChain: (chain: string | undefined) => void;
}

/**
 * The verification goes on while other screens are open, and its job tells them the verdict. This screen shows it
 * itself: a mutation calls `onSettled` only while the screen is open.
 */
function useVerification(chain: string | undefined) {
  const words = useTranslations('audit');
  const run = async (id: string) => {
    const verdict = verify(chain);
    const work = async () => words((await verdict).valid ? 'verified.valid' : 'verified.invalid');
    await runJob({ id, label: words('verify'), work, explain: wordsFor });
    return { verdict: await verdict, at: Date.now() };
  };
  const check = useMutation({ mutationFn: run });
  const start = () => check.mutate(crypto.randomUUID(), { onSettled: (_verdict, _error, id) => dismissJob(id) });
  return { check, start };
}

/** Operators choose among the chains: each partner has one, and the system has one. */
function ChainChoice({ chain, onChain }: Omit<ChainBarProps, 'filter'>) {
  const words = useTranslations('audit');
  return (
    <PartnerSelect
      label={words('chain')}
      maw={360}
      description={words('chainText')}
      placeholder={words('systemChain')}
      value={chain === 'system' ? null : (chain ?? null)}
      onChange={(next) => onChain(next ?? undefined)}
      clearable
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
  const time = format.dateTime(new Date(newest.signedAt), 'moment');
  return words('checkpoint', { time, length: newest.length });
}

/** The chain's newest checkpoint, its verification, and the export of what the filter shows. */
export function ChainBar({ filter, chain, onChain }: ChainBarProps) {
  const words = useTranslations('audit');
  const { check, start } = useVerification(chain);
  const isOperator = useMe().scope === 'system';
  return (
    <>
      <Suspense fallback={null}>{isOperator && <ChainChoice chain={chain} onChain={onChain} />}</Suspense>
      <Group justify="space-between">
        <Text className="gh-hint">
          <Checkpoint chain={chain} />
        </Text>
        <Group gap="xs">
          <Button variant="default" loading={check.isPending} onClick={start}>
            {words('verify')}
          </Button>
          <Suspense fallback={null}>
            <ExportMenu filter={filter} chain={chain} />
          </Suspense>
        </Group>
      </Group>
      {check.data && <VerdictView {...check.data} />}
      <Refusal error={check.error} />
    </>
  );
}
