import { CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { dismissJob, type Job, useJobs } from './jobs.ts';
import { isRunning, type MergeRun, useMerges } from './merges.ts';

interface EntryProps {
  readonly label: ReactNode;
  readonly name: string;
  readonly state: Job['state'];
  readonly progress?: number | undefined;
  readonly result?: string | undefined;
  readonly onDismiss: () => void;
}

const COLORS = { running: 'brand', done: 'green', failed: 'red' } as const;

function Entry({ label, name, state, progress, result, onDismiss }: EntryProps) {
  const words = useTranslations('shell.jobs');
  const isUnknown = state === 'running' && progress === undefined;
  return (
    <Stack gap={4} component="li">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        {state !== 'running' && <CloseButton size="sm" aria-label={words('dismiss', { name })} onClick={onDismiss} />}
      </Group>
      <Progress
        value={isUnknown ? 100 : 100 * (progress ?? 1)}
        animated={isUnknown}
        color={COLORS[state]}
        size="sm"
        aria-label={name}
      />
      <Text size="xs" c="dimmed">
        {result ?? words(`states.${state}`)}
      </Text>
    </Stack>
  );
}

const STATES = { queued: 'running', running: 'running', completed: 'done', failed: 'failed' } as const;

function Merge({ run, onDismiss }: { readonly run: MergeRun; readonly onDismiss: () => void }) {
  const words = useTranslations('shell.jobs');
  const { jobId, orgId, orgName, survivorId, survivorName, state, progress, error } = run;
  const name = words('merge', { name: orgName, survivor: survivorName });
  const search = { survivor: survivorId, run: jobId };
  return (
    <Entry
      name={name}
      label={
        <Link to="/orgs/$orgId/merge" params={{ orgId } as never} search={search as never}>
          {name}
        </Link>
      }
      state={STATES[state]}
      progress={isRunning(run) ? progress.done / Math.max(1, progress.total) : 1}
      result={error ?? (isRunning(run) ? words('progress', progress) : undefined)}
      onDismiss={onDismiss}
    />
  );
}

/** Long work, whatever screen is open: that of this tab, and merges of anyone, once it `isTime` to ask for them. */
export function JobPanel({ isTime }: { readonly isTime: boolean }) {
  const words = useTranslations('shell.jobs');
  const jobs = useJobs();
  const { runs, dismiss } = useMerges(isTime);
  if (jobs.length + runs.length === 0) return null;
  return (
    <Paper withBorder shadow="md" p="sm" component="section" aria-label={words('title')} aria-live="polite">
      <Stack gap="sm" component="ul" className="gh-jobs">
        {runs.map((run) => (
          <Merge key={run.jobId} run={run} onDismiss={() => dismiss(run.jobId)} />
        ))}
        {jobs.map(({ id, label, ...job }) => (
          <Entry key={id} label={label} name={label} {...job} onDismiss={() => dismissJob(id)} />
        ))}
      </Stack>
    </Paper>
  );
}
