import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../api/generated/access.ts';
import { useCan } from '../../api/me.ts';
import type { FormAction } from '../forms/act-button.tsx';
import type { Versioned } from './last-save.ts';
import type { VersionedFormProps } from './versioned-form.tsx';
import { usePageOrg } from '../use-org.tsx';
import { lazyPart } from '../later/lazy-part.ts';

/** Loaded when the first form of this kind opens. */
const VersionedForm = lazyPart(async () => ({ default: (await import('./versioned-form.tsx')).VersionedForm })) as <
  Stored extends Versioned,
>(
  props: VersionedFormProps<Stored>,
) => ReactNode;

export interface VersionedFormButtonProps<Stored>
  extends ButtonProps, Omit<VersionedFormProps<Stored>, 'title' | 'action' | 'onClose'> {
  readonly label: string;
  readonly title?: string;
  readonly action?: FormAction;
  readonly needs: Operation;
}

/**
 * A button that opens a form for a record with a version; absent for those who may not act. What is typed stays when
 * another person has saved the record since.
 */
export function VersionedFormButton<Stored extends Versioned>(props: VersionedFormButtonProps<Stored>) {
  const words = useTranslations('ui');
  const { org } = usePageOrg();
  const { label, name, title = words('edit', { name }), action = 'save', orgId = org, needs, ...rest } = props;
  const { text, fields, stored, valuesOf, save, read, audited, faultAt, changes, onDone, ...button } = rest;
  const [opened, dialog] = useDisclosure(false);
  if (!useCan()(needs)) return null;
  return (
    <>
      <Button {...button} onClick={dialog.open}>
        {label}
      </Button>
      <Suspense fallback={null}>
        {opened && (
          <VersionedForm
            {...{ title, name, orgId, audited, text, fields, stored, valuesOf, save, read, faultAt, changes, onDone }}
            action={words(action)}
            onClose={dialog.close}
          />
        )}
      </Suspense>
    </>
  );
}
