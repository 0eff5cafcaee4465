import type { ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Opener } from '../../../ui/forms/act-button.tsx';
import type { Device } from '../queries.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';

/** Loaded with the first move. */
const MoveDialog = lazyPart(async () => ({ default: (await import('./move-dialog.tsx')).MoveDialog }));

interface MoveButtonProps extends ButtonProps {
  readonly devices: readonly Device[];
  /** Told once the dialog closes which devices were moved. */
  readonly onMoved?: (ids: ReadonlySet<string>) => void;
}

/** Moves one device or many to another site. */
export function MoveButton({ devices, onMoved, ...button }: MoveButtonProps) {
  const words = useTranslations('devices');
  const [opened, dialog] = useDisclosure(false);
  if (!useCan()('POST /devices/{id}/move')) return null;
  const close = (moved: ReadonlySet<string>) => {
    dialog.close();
    if (moved.size > 0) onMoved?.(moved);
  };
  return (
    <>
      <Opener variant="default" {...button} onClick={dialog.open}>
        {words('move')}
      </Opener>
      <Suspense fallback={null}>{opened && <MoveDialog devices={devices} onClose={close} />}</Suspense>
    </>
  );
}
