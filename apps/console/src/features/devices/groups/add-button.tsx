import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Dialog } from '../../../ui/forms/dialogs.tsx';
import { later } from '../../../ui/later/later.ts';
import type { DeviceGroup } from './queries.ts';

/** Loaded when devices are added for the first time. */
const AddForm = later(async () => ({ default: (await import('./add-form.tsx')).AddForm }));

/** Puts devices of the organisation into a group. */
export function AddDevicesButton({ group }: { readonly group: DeviceGroup }) {
  const words = useTranslations('devices');
  const [opened, dialog] = useDisclosure(false);
  if (!useCan()('POST /device-groups/{id}/devices')) return null;
  return (
    <>
      <Button onClick={dialog.open}>{words('addDevices')}</Button>
      <Dialog title={words('addTitle', { name: group.name })} opened={opened} onClose={dialog.close}>
        <Suspense fallback={null}>{opened && <AddForm group={group} onClose={dialog.close} />}</Suspense>
      </Dialog>
    </>
  );
}
