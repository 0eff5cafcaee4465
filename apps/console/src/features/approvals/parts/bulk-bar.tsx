import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useOnline } from '../../../api/browser.ts';
import { ReasonDialog } from '../../../ui/forms/reason-dialog.tsx';
import { shared, useOpened, useReasonHelp } from '../../../ui/elevation/justification.ts';
import { type ElevationRequest, needsCare, useFreshLists, useRespond } from '../../../ui/elevation/request.ts';
import { RequestNames, useResultNames } from '../../../ui/elevation/result-name.tsx';
import { stillSelected, useMany } from '../../../ui/many/outcomes.ts';
import { Results } from '../../../ui/many/results.tsx';
import { type ProblemOf, useApprovable } from './approvable.ts';

export type Verb = 'approve' | 'deny';

interface Requests {
  readonly requests: readonly ElevationRequest[];
  readonly problemOf: ProblemOf;
}

interface BulkBarProps extends Requests {
  /** What the dialog asks about; null while it is closed. */
  readonly verb: Verb | null;
  readonly setVerb: (verb: Verb | null) => void;
  readonly onDone: (left: ReadonlySet<string>) => void;
}

/** Decides the selected requests as the dialog says, and keeps what became of each. */
function useBulk({ requests, problemOf, verb, setVerb, onDone }: BulkBarProps) {
  const refresh = useFreshLists();
  const respond = useRespond();
  const { keep, nameOf } = useResultNames(requests);
  const many = useMany((results) => {
    setVerb(null);
    onDone(stillSelected(results));
    refresh();
  });
  const { approvable, whyNone } = useApprovable(requests, problemOf);
  const run = (reason: string | undefined) => {
    if (verb === null) return;
    keep();
    const owners = new Map(requests.map(({ id, orgId }) => [id, orgId]));
    void many.start([...owners.keys()], {
      run: (id) => respond({ id, orgId: owners.get(id), decision: verb, ...(reason && { reason }) }),
      isLeftOut: (id) => verb === 'approve' && !approvable.some((one) => one.id === id),
    });
  };
  return { many, nameOf, run, approvable, whyNone };
}

type Bulk = ReturnType<typeof useBulk>;

/** Names what will be decided, and asks for the reason. */
function BulkDialog({ bulk, requests, verb, setVerb }: { readonly bulk: Bulk } & Omit<BulkBarProps, 'onDone'>) {
  const { many, run, approvable } = bulk;
  const words = useTranslations('approvals');
  const approves = verb === 'approve';
  const decidable = approves ? approvable : requests;
  const flagged = requests.filter(needsCare).length;
  const others = requests.length - approvable.length - flagged;
  const leftOut = [
    flagged > 0 && words('flaggedLeftOut', { count: flagged }),
    others > 0 && words('othersLeftOut', { count: others }),
  ];
  return (
    <ReasonDialog
      {...useReasonHelp(decidable, verb)}
      title={words(approves ? 'approveTitle' : 'denyTitle', { count: decidable.length })}
      about={<RequestNames requests={decidable} />}
      text={approves ? leftOut.filter(Boolean).join(' ') : ''}
      action={words(approves ? 'approve' : 'deny')}
      color={approves ? '' : 'red'}
      opened={useOpened(verb !== null, shared(decidable.map(({ orgId }) => orgId)))}
      saving={many.running}
      error={null}
      onClose={() => setVerb(null)}
      onConfirm={run}
    />
  );
}

/** Decides what is selected; requests with a warning are approved one by one only. */
export function BulkBar(props: BulkBarProps) {
  const { requests, setVerb } = props;
  const words = useTranslations('approvals');
  const online = useOnline();
  const bulk = useBulk(props);
  const { many, nameOf, whyNone } = bulk;
  const hasSome = requests.length > 0;
  const buttons = { size: 'xs', disabled: !online || !hasSome };
  return (
    <>
      <Group
        gap="sm"
        className="gh-bulk"
        data-some={hasSome || undefined}
        role="region"
        aria-label={words('selected', { count: requests.length })}
      >
        <Text size="sm">{words('selected', { count: requests.length })}</Text>
        <Button {...buttons} variant="default" onClick={() => setVerb('deny')}>
          {words('denySelected')}
        </Button>
        <Button {...buttons} disabled={buttons.disabled || whyNone !== null} onClick={() => setVerb('approve')}>
          {words('approveSelected')}
        </Button>
        {whyNone && <Text className="gh-hint">{whyNone}</Text>}
      </Group>
      <Results of={many} nameOf={nameOf} />
      <BulkDialog {...props} bulk={bulk} />
    </>
  );
}
