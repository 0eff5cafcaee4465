import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useOnline } from '../../../api/browser.ts';
import { type ElevationRequest, useFreshLists } from '../../../ui/elevation/request.ts';
import { RequestNames, useResultNames } from '../../../ui/elevation/result-name.tsx';
import { revoke } from '../../../ui/elevation/window-buttons.tsx';
import { ReasonDialog } from '../../../ui/forms/reason-dialog.tsx';
import { stillSelected, useMany } from '../../../ui/many/outcomes.ts';
import { Results } from '../../../ui/many/results.tsx';

interface RevokeManyProps {
  readonly requests: readonly ElevationRequest[];
  readonly onDone: (left: ReadonlySet<string>) => void;
}

/** Ends what is selected, with one reason, and tells what became of each. */
export function RevokeMany({ requests, onDone }: RevokeManyProps) {
  const words = useTranslations('active');
  const online = useOnline();
  const refresh = useFreshLists();
  const [opened, setOpened] = useState(false);
  const { keep, nameOf } = useResultNames(requests);
  const many = useMany((results) => {
    setOpened(false);
    onDone(stillSelected(results));
    refresh();
  });
  const run = (reason = '') => {
    keep();
    const ids = requests.map(({ id }) => id);
    void many.start(ids, { run: (id) => revoke({ id, reason }) });
  };
  const title = words('revokeSelected', { count: requests.length });
  return (
    <>
      {requests.length > 0 && (
        <Group className="gh-bulk" data-some>
          <Button size="xs" color="red" variant="light" disabled={!online} onClick={() => setOpened(true)}>
            {title}
          </Button>
        </Group>
      )}
      <Results of={many} nameOf={nameOf} />
      <ReasonDialog
        title={title}
        action={words('revoke')}
        about={<RequestNames requests={requests} />}
        color="red"
        required
        opened={opened}
        saving={many.running}
        error={null}
        onClose={() => setOpened(false)}
        onConfirm={run}
      />
    </>
  );
}
