import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Dialog } from '../../../ui/forms/dialogs.tsx';
import { later } from '../../../ui/later/later.ts';
import type { CapturePolicy } from '../policies.ts';

/** Loaded when a policy is assigned for the first time. */
const AssignForm = later(async () => ({ default: (await import('./assign-form.tsx')).AssignForm }));

/** Puts a policy into effect for a place. */
export function AssignButton({ policy }: { readonly policy: CapturePolicy }) {
  const words = useTranslations('captureLevels');
  const [opened, dialog] = useDisclosure(false);
  if (!useCan()('POST /configuration-policies/{id}/assignments')) return null;
  return (
    <>
      <Button onClick={dialog.open}>{words('assign')}</Button>
      <Dialog title={words('assignTitle', { name: policy.name })} opened={opened} onClose={dialog.close}>
        <Suspense fallback={null}>{opened && <AssignForm policy={policy} onClose={dialog.close} />}</Suspense>
      </Dialog>
    </>
  );
}
