import { Button, Group, Radio } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../../api/generated/access.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { type Field, filledValues, PARTNER_FIELD, type Values } from '../../../ui/forms/fields.ts';
import { AreaTabs } from '../../../ui/area-tabs.tsx';
import { Page } from '../../../ui/page.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { useOrg, useOrgName } from '../../../ui/use-org.tsx';
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

/** To whom imported things may belong: an organisation that the address names, or the caller's own partner. */
export function useOwners(): readonly (typeof OWNERS)[number][] {
  const org = useOrg();
  const { scope } = useMe();
  return OWNERS.filter((owner) => (owner === 'organization' ? org !== undefined : scope === 'partner'));
}

/** Loaded for operators. */
const ChooseOrganization = lazyPart(async () => ({
  default: (await import('../../../ui/place/choose-organization.tsx')).ChooseOrganization,
}));

/** An import into the library; operators first choose the organisation that it is for. */
export function ImportPage({ title, children }: Omit<LibraryPageProps, 'actions'>) {
  const isOwned = useOwners().length > 0;
  return (
    <LibraryPage title={title} actions={null}>
      <Suspense fallback={null}>{isOwned ? children : <ChooseOrganization />}</Suspense>
    </LibraryPage>
  );
}

/** To whom a new thing belongs; operators choose among the partners. */
export function useOwnerFields(name: string): {
  readonly fields: readonly Field[];
  readonly owner: (typeof OWNERS)[number];
  /** What was filled in, with the owner that is meant. */
  readonly owned: (values: Values) => Values;
} {
  const words = useTranslations('library');
  const org = useOrg();
  const { scope } = useMe();
  const isOperator = scope === 'system';
  const owners = [...(isOperator ? (['partner'] as const) : []), ...useOwners()];
  const orgName = useOrgName();
  const choices = owners.map((value) => ({
    value,
    label: (value === 'organization' && orgName) || words(`owners.${value}`),
  }));
  const isOfPartner = (values: Values) => values[name] === 'partner';
  return {
    fields: [
      { name, label: words('owner'), kind: 'choice', choices, required: true },
      ...(isOperator ? [{ ...PARTNER_FIELD, when: isOfPartner }] : []),
    ],
    owner: owners[0] ?? 'organization',
    owned: (values) =>
      filledValues({ ...values, ...(!isOfPartner(values) && { partnerId: null, orgId: org ?? null }) }),
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
  if (!useCan()(needs)) return null;
  return (
    <Button component={Link} variant="default" to={to} search={(org ? { org } : {}) as never}>
      {label}
    </Button>
  );
}

interface OwnerChoiceProps {
  readonly value: (typeof OWNERS)[number];
  readonly onChange: (owner: (typeof OWNERS)[number]) => void;
}

/** To whom imported things belong; absent where there is no choice. */
export function OwnerChoice({ value, onChange }: OwnerChoiceProps) {
  const words = useTranslations('library');
  const owners = useOwners();
  if (owners.length < 2) return null;
  return (
    <Radio.Group
      label={words('owner')}
      value={value}
      onChange={(next) => onChange(OWNERS.find((owner) => owner === next) ?? value)}
    >
      <Group mt="xs">
        {owners.map((owner) => (
          <Radio key={owner} value={owner} label={words(`owners.${owner}`)} />
        ))}
      </Group>
    </Radio.Group>
  );
}
