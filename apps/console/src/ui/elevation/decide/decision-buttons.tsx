import { Button, Group, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { useOnline } from '../../../api/online.ts';
import { wordsFor } from '../../../api/problem.ts';
import { GatehouseError, type ProblemCode } from '@gatehouse/client';
import { type Decision, type ElevationRequest, needsCare, requestQuery, respond, useRequestAct } from '../request.ts';
import { later } from '../../later/later.ts';
import { MoreButton } from './more-button.tsx';
import '../words.ts';

// Dialogs are loaded when the first one opens.
const ApproveDialog = later(async () => ({ default: (await import('./decision-dialogs.tsx')).ApproveDialog }));
const DenyDialog = later(async () => ({ default: (await import('./decision-dialogs.tsx')).DenyDialog }));

// A list has many of these menus, and none can be opened before the buttons work: they follow its first paint.
const ApproveMenu = later(async () => ({ default: (await import('./approve-menu.tsx')).ApproveMenu }));

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

const wordsForCode = (code: string): string =>
  wordsFor(new GatehouseError(403, { code: code as ProblemCode } as GatehouseError['problem']));

/** Why this person cannot decide the request; null if they can. The server's word is asked where it may say no. */
export function useObstacle(request: ElevationRequest): string | null {
  const words = useTranslations('elevation');
  const online = useOnline();
  const mayAtAll = useCan()('POST /pam/elevation-requests/{id}/respond');
  const detail = useQuery({ ...requestQuery(request.id), enabled: mayAtAll && request.flowType !== 'uac_intercept' });
  if (!mayAtAll) return words('needsPermission');
  if (!online) return words('offline');
  const approve = detail.data?.mayRespond.approve ?? true;
  return approve === true || approve === 'not_pending' ? null : wordsForCode(String(approve));
}

interface DecisionButtonsProps {
  readonly request: ElevationRequest;
  /** Opens a dialog from the keyboard: `a` and `d`. */
  readonly asked?: 'approve' | 'deny' | null;
  readonly onAnswered?: () => void;
  readonly onDecided: () => void;
  readonly size?: string;
}

/** Approve and deny. They are visible to everyone who sees the request, and disabled with the reason. */
export function DecisionButtons({ request, asked = null, onAnswered, onDecided, size = 'xs' }: DecisionButtonsProps) {
  const words = useTranslations('elevation');
  const [approving, approveDialog] = useDisclosure(false);
  const [denying, denyDialog] = useDisclosure(false);
  const armed = useArmed();
  const obstacle = useObstacle(request);
  const answer = useRequestAct(respond);
  const decide = (decision: Decision) =>
    answer.mutate(
      { id: request.id, ...decision },
      {
        onSuccess: () => {
          approveDialog.close();
          denyDialog.close();
          onDecided();
        },
      },
    );
  const disabled = !armed || obstacle !== null;
  useEffect(() => {
    if (asked === 'approve' && !disabled) approveDialog.open();
    if (asked === 'deny' && !disabled) denyDialog.open();
    if (asked) onAnswered?.();
  }, [asked, disabled, approveDialog, denyDialog, onAnswered]);
  const press = () => (needsCare(request) ? approveDialog.open() : decide({ decision: 'approve' }));
  const menu = { size, disabled, careful: needsCare(request), onDecide: decide, onDialog: approveDialog.open };
  const dialog = { request, saving: answer.isPending, error: answer.error, onDecide: decide };
  return (
    <Tooltip label={obstacle === null ? '' : words('cannot', { why: obstacle })} disabled={obstacle === null}>
      <Group gap={6} wrap="nowrap" data-obstacle={obstacle ?? undefined}>
        <Button size={size} variant="default" disabled={disabled} onClick={denyDialog.open}>
          {words('deny')}
        </Button>
        <Button.Group>
          <Button size={size} disabled={disabled} loading={answer.isPending} onClick={press}>
            {words('approve')}
          </Button>
          <MoreWays {...menu} />
        </Button.Group>
        <Suspense fallback={null}>
          {approving && <ApproveDialog {...dialog} opened onClose={approveDialog.close} />}
          {denying && <DenyDialog {...dialog} opened onClose={denyDialog.close} />}
        </Suspense>
      </Group>
    </Tooltip>
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
