import { Alert, Button, Group, Menu, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { wordsFor } from '../../../api/problem.ts';
import { runJob } from '../../../shell/jobs/jobs.ts';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { notifyRefused } from '../../../ui/notify.ts';
import type { AuditFilter } from '../model.ts';
import { checkpointsQuery, exportAddress, type ExportFormat, verify } from '../queries.ts';

function ExportMenu({ filter }: { readonly filter: AuditFilter }) {
  const words = useTranslations('audit');
  const download = useMutation({
    mutationFn: (format: ExportFormat) => exportAddress(filter, format),
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
function useVerification() {
  const words = useTranslations('audit');
  const run = async () => {
    const verdict = verify();
    const work = async () => {
      const { valid, length, firstBadSequence } = await verdict;
      return valid ? words('valid', { length }) : words('invalid', { sequence: firstBadSequence ?? 0 });
    };
    await runJob({ label: words('verify'), work, explain: wordsFor });
    return verdict;
  };
  return useMutation({ mutationFn: run });
}

/** The chain's newest checkpoint, its verification, and the export of what the filter shows. */
export function ChainBar({ filter }: { readonly filter: AuditFilter }) {
  const words = useTranslations('audit');
  const format = useFormatter();
  const checkpoint = useQuery(checkpointsQuery).data?.at(-1);
  const check = useVerification();
  const { data: verdict } = check;
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {checkpoint &&
            words('checkpoint', {
              time: format.dateTime(new Date(checkpoint.signedAt), { dateStyle: 'medium', timeStyle: 'short' }),
              length: checkpoint.length,
            })}
        </Text>
        <Group gap="xs">
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            {words('verify')}
          </Button>
          <ExportMenu filter={filter} />
        </Group>
      </Group>
      {verdict && (
        <Alert color={verdict.valid ? 'green' : 'red'} variant="light" role="status">
          {verdict.valid
            ? words('valid', { length: verdict.length })
            : words('invalid', { sequence: verdict.firstBadSequence ?? 0 })}
        </Alert>
      )}
      <Refusal error={check.error} />
    </>
  );
}
