import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Dialog } from '../../../ui/forms/dialogs.tsx';
import type { TreePlace } from '../../../ui/place/tree/queries.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';

/** Loaded with the first new policy. */
const NewPolicyForm = lazyPart(async () => ({ default: (await import('./new-policy-form.tsx')).NewPolicyForm }));

interface NewPolicyProps {
  readonly orgId: string;
  /** The place that is proposed. */
  readonly place?: TreePlace | null;
}

/** Makes a policy without entries and opens it. */
export function NewPolicyButton({ orgId, place = null }: NewPolicyProps) {
  const words = useTranslations('softwarePolicies');
  const [opened, dialog] = useDisclosure(false);
  if (!useCan()('POST /pam/software-policies')) return null;
  return (
    <>
      <Button onClick={dialog.open}>{words('new')}</Button>
      <Dialog title={words('new')} opened={opened} onClose={dialog.close}>
        <Suspense fallback={null}>
          {opened && <NewPolicyForm orgId={orgId} place={place} onClose={dialog.close} />}
        </Suspense>
      </Dialog>
    </>
  );
}
