import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { notifyRefused } from '../../../ui/notify.ts';
import { later } from '../../../ui/later/later.ts';
import type { PartnerRule } from '../model.ts';
import { updateRule, useRuleAct } from '../queries.ts';

const DeleteDialog = later(async () => ({ default: (await import('../shared/delete-dialog.tsx')).DeleteDialog }));

/** What the partner can do about a rule of its own in the list. */
export function PartnerRuleActs({ rule }: { readonly rule: PartnerRule }) {
  const words = useTranslations('rules');
  const [asked, dialog] = useDisclosure(false);
  const act = useRuleAct(updateRule);
  const { id, orgId, version, enabled } = rule;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label={`${words('acts')}: ${rule.name}`}>
            ⋯
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => act.mutate({ id, orgId, version, enabled: !enabled }, { onError: notifyRefused })}>
            {words(enabled ? 'turnOff' : 'turnOn')}
          </Menu.Item>
          <Menu.Item color="red" onClick={dialog.open}>
            {words('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>{asked && <DeleteDialog rule={rule} onClose={dialog.close} />}</Suspense>
    </>
  );
}
