import { Button } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../api/generated/access.ts';
import { useCan } from '../../api/me.ts';
import { lazyPart } from '../later/lazy-part.ts';

interface MoreActionsProps {
  /** What the acts need: the menu is absent for those who may do none of them. */
  readonly needs: readonly Operation[];
  readonly children: ReactNode;
}

/** The menu of acts beside the main one: loaded after the screen, in the place of a button that keeps its room. */
const Menu = lazyPart(async () => ({ default: (await import('./more-actions.tsx')).MoreActions }));

export function MoreActions({ needs, children }: MoreActionsProps) {
  const words = useTranslations('ui');
  if (!needs.some(useCan())) return null;
  const label = words('moreActions');
  return (
    <Suspense
      fallback={
        <Button variant="default" disabled>
          {label}
        </Button>
      }
    >
      <Menu label={label}>{children}</Menu>
    </Suspense>
  );
}
