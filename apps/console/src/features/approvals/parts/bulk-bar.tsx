import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useOnline } from '../../../api/online.ts';
import { ReasonDialog } from '../../../ui/forms/dialogs.tsx';
import { type ElevationRequest, needsCare, respond, useFreshLists } from '../../../ui/elevation/request.ts';
import { useResultNames } from '../../../ui/elevation/result-name.tsx';
import { stillSelected } from '../../../ui/many/outcomes.ts';
import { Results } from '../../../ui/many/results.tsx';
import { useMany } from '../../../ui/many/use-many.ts';

type Verb = 'approve' | 'deny';

interface BulkBarProps {
  readonly requests: readonly ElevationRequest[];
  readonly onDone: (left: ReadonlySet<string>) => void;
}

/** Decides the selected requests as the dialog says, and keeps what became of each. */
function useBulk({ requests, onDone }: BulkBarProps) {
  const refresh = useFreshLists();
  const [verb, setVerb] = useState<Verb | null>(null);
  const { keep, nameOf } = useResultNames(requests);
  const many = useMany((results) => {
    setVerb(null);
    onDone(stillSelected(results));
    refresh();
  });
  const careful = requests.filter(needsCare).map(({ id }) => id);
  const run = (reason: string | undefined) => {
    if (verb === null) return;
    keep();
    const ids = requests.map(({ id }) => id);
    void many.start(ids, {
      run: (id) => respond({ id, decision: verb, ...(reason && { reason }) }),
      isLeftOut: (id) => verb === 'approve' && careful.includes(id),
    });
  };
  return { verb, setVerb, many, nameOf, run, leftOut: careful.length };
}

/** Decides what is selected; requests with a warning are approved one by one only. */
export function BulkBar({ requests, onDone }: BulkBarProps) {
  const words = useTranslations('approvals');
  const online = useOnline();
  const { verb, setVerb, many, nameOf, run, leftOut } = useBulk({ requests, onDone });
  const buttons = { size: 'xs', disabled: !online || requests.length === 0 };
  return (
    <>
      <Group
        gap="sm"
        className="gh-bulk"
        data-some={requests.length > 0 || undefined}
        role="region"
        aria-label={words('selected', { count: requests.length })}
      >
        <Text size="sm">{words('selected', { count: requests.length })}</Text>
        <Button {...buttons} variant="default" onClick={() => setVerb('deny')}>
          {words('denySelected')}
        </Button>
        <Button {...buttons} disabled={!online || requests.length === leftOut} onClick={() => setVerb('approve')}>
          {words('approveSelected')}
        </Button>
      </Group>
      <Results
        results={many.results}
        running={many.running}
        nameOf={nameOf}
        onRetry={() => void many.retry()}
        onDismiss={many.dismiss}
      />
      <ReasonDialog
        title={words(verb === 'deny' ? 'denySelected' : 'approveSelected')}
        text={verb === 'approve' && leftOut > 0 ? words('flaggedLeftOut', { count: leftOut }) : ''}
        action={words(verb === 'deny' ? 'deny' : 'approve')}
        color={verb === 'deny' ? 'red' : ''}
        opened={verb !== null}
        saving={many.running}
        error={null}
        onClose={() => setVerb(null)}
        onConfirm={run}
      />
    </>
  );
}
