import { Button, Menu } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Overlay } from '../../../ui/forms/unsaved.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { notifyRefused } from '../../../ui/notify.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import type { Rule } from '../model.ts';
import { updateRule, useRuleAct } from '../queries.ts';
import type { RuleDialogKind } from './rule-dialogs.tsx';
import type { Order } from './use-order.ts';

// Dialogs are loaded when the first one opens.
const RuleDialog = lazyPart(async () => ({ default: (await import('./rule-dialogs.tsx')).RuleDialog }));

type Asked = RuleDialogKind | null;

interface RuleActsProps {
  readonly rule: Rule;
  readonly order: Order;
}

interface ItemsProps extends RuleActsProps {
  readonly onAsk: (asked: Asked) => void;
}

function MoveItems({ rule, order, onAsk }: ItemsProps) {
  const words = useTranslations('rules.move');
  const place = order.placeOf(rule);
  return (
    <>
      <Menu.Item disabled={place === 0} onClick={() => order.move(rule, place - 1)}>
        {words('up')}
      </Menu.Item>
      <Menu.Item disabled={place === order.count - 1} onClick={() => order.move(rule, place + 1)}>
        {words('down')}
      </Menu.Item>
      <Menu.Item disabled={order.count < 2} onClick={() => onAsk('move')}>
        {words('to')}
      </Menu.Item>
    </>
  );
}

function Items({ rule, order, onAsk }: ItemsProps) {
  const words = useTranslations('rules');
  const can = useCan();
  const { scope } = useMe();
  const act = useRuleAct(updateRule);
  const { id, orgId, version, enabled, mode } = rule;
  const change = (changes: { enabled: boolean } | { mode: Rule['mode'] }) => () =>
    act.mutate({ id, orgId, version, ...changes }, { onError: notifyRefused });
  // A site and a signer group belong to their organisation.
  const isBound = rule.siteId !== null || rule.matchSignerGroupId !== null;
  return (
    <>
      <Menu.Item onClick={change({ enabled: !enabled })}>{words(enabled ? 'turnOff' : 'turnOn')}</Menu.Item>
      {mode === 'live' && <Menu.Item onClick={change({ mode: 'shadow' })}>{words('watch')}</Menu.Item>}
      {can('PUT /pam/rules/order') && <MoveItems {...{ rule, order, onAsk }} />}
      {can('POST /pam/rules/{id}/copies') && scope !== 'organization' && !isBound && (
        <Menu.Item onClick={() => onAsk('copy')}>{words('copy.item')}</Menu.Item>
      )}
      <Menu.Item color="red" onClick={() => onAsk('delete')}>
        {words('delete')}
      </Menu.Item>
    </>
  );
}

/** What can be done about a rule in its list. */
export function RuleActs({ rule, order }: RuleActsProps) {
  const words = useTranslations('rules');
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label={`${words('acts')}: ${rule.name}`}>
            ⋯
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Overlay />
          <Items {...{ rule, order }} onAsk={setAsked} />
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>{asked && <RuleDialog {...{ rule, order }} kind={asked} onClose={close} />}</Suspense>
    </>
  );
}
