import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useOnline } from '../../../api/online.ts';
import { inParallel, type Outcome } from '../../../api/many.ts';
import { ReasonDialog } from '../../../ui/forms/dialogs.tsx';
import { type ElevationRequest, needsCare, respond } from '../../../ui/elevation/request.ts';

const MOST = 50;

type Verb = 'approve' | 'deny';

interface BulkBarProps {
  readonly requests: readonly ElevationRequest[];
  readonly onDone: (left: ReadonlySet<string>) => void;
}

/** Decides what is selected; requests with a warning are approved one by one only. */
export function BulkBar({ requests, onDone }: BulkBarProps) {
  const words = useTranslations('approvals');
  const queryClient = useQueryClient();
  const online = useOnline();
  const [verb, setVerb] = useState<Verb | null>(null);
  const [running, setRunning] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const chosen = requests.filter((request) => verb !== 'approve' || !needsCare(request)).slice(0, MOST);
  const leftOut = requests.filter(needsCare).length;
  const failed = outcomes.filter(({ error }) => error !== undefined);
  const run = async (reason: string | undefined) => {
    setRunning(true);
    const ids = chosen.map(({ id }) => id);
    const results = await inParallel(ids, (id) => respond({ id, decision: verb!, ...(reason && { reason }) }));
    setRunning(false);
    setVerb(null);
    setOutcomes(results);
    onDone(new Set(results.filter(({ error }) => error !== undefined).map(({ id }) => id)));
    void queryClient.invalidateQueries({ queryKey: ['approvals'] });
  };
  return (
    <Group gap="sm" className="gh-bulk" role="region" aria-label={words('selected', { count: requests.length })}>
      <Text size="sm">{words('selected', { count: requests.length })}</Text>
      <Button size="xs" variant="default" disabled={!online || requests.length === 0} onClick={() => setVerb('deny')}>
        {words('denySelected')}
      </Button>
      <Button size="xs" disabled={!online || requests.length === leftOut} onClick={() => setVerb('approve')}>
        {words('approveSelected')}
      </Button>
      {outcomes.length > 0 && (
        <Text size="sm" role="status">
          {words('bulkDone', { done: outcomes.length - failed.length, failed: failed.length })}
        </Text>
      )}
      <ReasonDialog
        title={words(verb === 'deny' ? 'denySelected' : 'approveSelected')}
        text={verb === 'approve' && leftOut > 0 ? words('flaggedLeftOut', { count: leftOut }) : ''}
        action={words(verb === 'deny' ? 'deny' : 'approve')}
        color={verb === 'deny' ? 'red' : ''}
        opened={verb !== null}
        saving={running}
        error={null}
        onClose={() => setVerb(null)}
        onConfirm={(reason) => void run(reason)}
      />
    </Group>
  );
}
