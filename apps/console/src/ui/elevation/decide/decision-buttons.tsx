import { Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { useOnline } from '../../../api/browser.ts';
import {
  type Decision,
  type ElevationRequest,
  isAboutTicket,
  needsCare,
  requestQuery,
  useRequestAct,
  useRespond,
} from '../request.ts';
import { useFocusAfter } from '../../forms/unsaved.ts';
import { lazyPart } from '../../later/lazy-part.ts';
import { notifyRefused } from '../../notify.ts';
import { useBefore } from '../../text/time.tsx';
import { decisionProblem, mayBeRefused } from './disabled-reasons.ts';
import { MoreButton } from './more-button.tsx';
import '../words.ts';

// Dialogs are loaded when the first one opens.
const ApproveDialog = lazyPart(async () => ({ default: (await import('./decision-dialogs.tsx')).ApproveDialog }));
const DenyDialog = lazyPart(async () => ({ default: (await import('./decision-dialogs.tsx')).DenyDialog }));

// A list has many of these menus, and none can be opened before the buttons work: they follow its first paint.
const ApproveMenu = lazyPart(async () => ({ default: (await import('./approve-menu.tsx')).ApproveMenu }));

const ARMED_AFTER_MS = 400;

/** Buttons work once their row has come to rest, so that a press meant for another row decides nothing. */
function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARMED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return armed;
}

/** Why this person cannot approve or deny; null where they can. */
type DisabledReasons = Readonly<Record<'approve' | 'deny', string | null>>;

/** What keeps this person from deciding the request. The server's word is asked where it may say no. */
function useDisabledReasons(request: ElevationRequest): DisabledReasons {
  const words = useTranslations('elevation');
  const online = useOnline();
  const mayAtAll = useCan()('POST /pam/elevation-requests/{id}/respond');
  const detail = useQuery({ ...requestQuery(request.id), enabled: mayAtAll && mayBeRefused(request) });
  const both = (why: string): DisabledReasons => ({ approve: why, deny: why });
  if (!mayAtAll) return both(words('needsPermission'));
  if (!online) return both(words('offline'));
  const may = detail.data?.mayRespond;
  return { approve: decisionProblem(may?.approve), deny: decisionProblem(may?.deny) };
}

/** Tells on hover why what it holds is disabled. */
function WithDisabledReason({ by, children }: { readonly by: string | null; readonly children: ReactNode }) {
  return (
    <Tooltip label={by ?? ''} disabled={by === null}>
      <Group gap={6} wrap="nowrap" data-obstacle={by ?? undefined}>
        {children}
      </Group>
    </Tooltip>
  );
}

/** The obstacle in plain sight, where there is room for it: a phone has no hover. */
const Why = ({ text }: { readonly text: string | null }) =>
  text && (
    <Text size="sm" c="dimmed" maw={420}>
      {text}
    </Text>
  );

/** One reason for both buttons, or one for Approve alone. */
const shownReasons = ({ approve, deny }: DisabledReasons): readonly [string | null, string | null] =>
  deny === null ? [null, approve] : [approve, null];

/**
 * Sends decisions; a refusal is told in the open dialog, or beside the screen where none is open. A ticket that is
 * asked for opens the dialog with its field.
 */
function useAnswer(request: ElevationRequest, onDecided: () => void) {
  const [approving, approveDialog] = useDisclosure(false);
  const [denying, denyDialog] = useDisclosure(false);
  const answer = useRequestAct(useRespond());
  const isOpen = approving || denying;
  const decide = (decision: Decision) =>
    answer.mutate(
      { id: request.id, orgId: request.orgId, ...decision },
      {
        onSuccess: () => {
          approveDialog.close();
          denyDialog.close();
          onDecided();
        },
        onError: (error) => {
          if (isOpen) return;
          if (isAboutTicket(error)) return approveDialog.open();
          notifyRefused(error);
          answer.reset();
        },
      },
    );
  const close = () => {
    answer.reset();
    approveDialog.close();
    denyDialog.close();
  };
  return { approving, approveDialog, denying, denyDialog, answer, decide, close };
}

interface DecisionButtonsProps {
  readonly request: ElevationRequest;
  /** Opens a dialog from the keyboard: `a` and `d`. */
  readonly asked?: 'approve' | 'deny' | null;
  readonly onAnswered?: () => void;
  readonly onDecided: () => void;
  readonly size?: string;
}

/** Approve and deny, until the request expires: visible to everyone who sees it, and disabled with the reason. */
export function DecisionButtons(props: DecisionButtonsProps) {
  const { pendingUntil } = props.request;
  return useBefore(pendingUntil) || pendingUntil === null ? <Buttons {...props} /> : null;
}

function Buttons({ request, asked = null, onAnswered, onDecided, size = 'xs' }: DecisionButtonsProps) {
  const words = useTranslations('elevation');
  const armed = useArmed();
  const reasons = useDisabledReasons(request);
  const { approving, approveDialog, denying, denyDialog, answer, decide, close } = useAnswer(request, onDecided);
  const [both, approval] = shownReasons(reasons);
  const noApproval = !armed || reasons.approve !== null;
  const noDenial = !armed || reasons.deny !== null;
  useEffect(() => {
    if (asked === 'approve' && !noApproval) approveDialog.open();
    if (asked === 'deny' && !noDenial) denyDialog.open();
    if (asked) onAnswered?.();
  }, [asked, noApproval, noDenial, approveDialog, denyDialog, onAnswered]);
  const press = () => (needsCare(request) ? approveDialog.open() : decide({ decision: 'approve' }));
  const menu = { size, careful: needsCare(request), onDecide: decide, onDialog: approveDialog.open };
  const dialog = { request, saving: answer.isPending, error: answer.error, onDecide: decide, onClose: close };
  return (
    <Stack
      ref={useFocusAfter<HTMLDivElement>()}
      gap={4}
      align={size === 'xs' ? 'flex-end' : 'flex-start'}
      className="gh-decide"
    >
      <WithDisabledReason by={both}>
        <Button size={size} variant="default" disabled={noDenial} onClick={denyDialog.open}>
          {words('deny')}
        </Button>
        <WithDisabledReason by={approval}>
          <Button.Group>
            <Button size={size} disabled={noApproval} loading={answer.isPending} onClick={press}>
              {words('approve')}
            </Button>
            <MoreWays {...menu} disabled={noApproval} />
          </Button.Group>
        </WithDisabledReason>
      </WithDisabledReason>
      {size !== 'xs' && <Why text={both ?? approval} />}
      <Suspense fallback={null}>
        {approving && <ApproveDialog {...dialog} sent={answer.variables} opened />}
        {denying && <DenyDialog {...dialog} opened />}
      </Suspense>
    </Stack>
  );
}

/** The other ways to approve, behind the button beside "Approve". */
function MoreWays({ disabled, ...menu }: ComponentProps<typeof ApproveMenu> & { readonly disabled: boolean }) {
  const button = <MoreButton size={menu.size} disabled />;
  return disabled ? (
    button
  ) : (
    <Suspense fallback={button}>
      <ApproveMenu {...menu} />
    </Suspense>
  );
}
