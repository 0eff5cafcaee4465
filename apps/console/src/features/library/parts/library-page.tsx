import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../../api/generated/access.ts';
import { useCan, useMe } from '../../../api/me.ts';
import type { Field } from '../../../ui/forms/fields.ts';
import { AreaTabs } from '../../../ui/area-tabs.tsx';
import { Page } from '../../../ui/page.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { OWNERS } from '../queries.ts';

interface LibraryPageProps {
  readonly title: string;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** A part of the library, with the way to the other. */
export function LibraryPage({ title, actions, children }: LibraryPageProps) {
  const words = useTranslations('library');
  const can = useCan();
  return (
    <Page title={title} actions={actions}>
      <AreaTabs
        label={words('parts')}
        tabs={[
          ['/library/scripts', words('scripts'), can('GET /scripts')],
          ['/library/custom-fields', words('customFields'), can('GET /custom-fields')],
        ]}
      />
      {children}
    </Page>
  );
}

/** Owners that the caller may choose: an organisation only where the address names one, so operators may have none. */
export function useOwnerField(name: string): {
  readonly field: Field;
  readonly owner: (typeof OWNERS)[number];
  readonly isNone: boolean;
} {
  const words = useTranslations('library');
  const org = useOrg();
  const { scope } = useMe();
  const owners = OWNERS.filter((owner) => (owner === 'organization' ? org !== undefined : scope === 'partner'));
  const choices = owners.map((value) => ({ value, label: words(`owners.${value}`) }));
  return {
    field: { name, label: words('owner'), kind: 'choice', choices, required: true },
    owner: owners[0] ?? 'partner',
    isNone: owners.length === 0,
  };
}

interface ImportLinkProps {
  readonly to: '/library/scripts/import' | '/library/custom-fields/import' | '/library/custom-fields/values';
  readonly label: string;
  readonly needs: Operation;
}

/** The way to an import, which keeps the chosen organisation. */
export function ImportLink({ to, label, needs }: ImportLinkProps) {
  const org = useOrg();
  const { isNone } = useOwnerField('owner');
  if (!useCan()(needs) || isNone) return null;
  return (
    <Button component={Link} variant="default" to={to} search={(org ? { org } : {}) as never}>
      {label}
    </Button>
  );
}
