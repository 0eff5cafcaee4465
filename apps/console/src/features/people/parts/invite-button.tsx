import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { useAsked } from '../../../ui/page.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';

/** Loaded with the first opening. */
const InviteDialog = lazyPart(async () => ({ default: (await import('../access/invite-dialog.tsx')).InviteDialog }));

interface InviteButtonProps {
  readonly orgId?: string | undefined;
  readonly siteId?: string | undefined;
}

/** Invites to the place that the list is narrowed to, or else to the whole partner. */
export function InviteButton({ orgId, siteId }: InviteButtonProps) {
  const words = useTranslations('people');
  const [opened, dialog] = useDisclosure(false);
  useAsked('POST /users', dialog.open);
  if (!useCan()('POST /users')) return null;
  return (
    <>
      <Button onClick={dialog.open}>{words('invite')}</Button>
      {opened && (
        <Suspense fallback={null}>
          <InviteDialog {...{ orgId, siteId }} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
}
