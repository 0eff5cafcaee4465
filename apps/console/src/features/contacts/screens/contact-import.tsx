import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ImportFlow } from '../../../ui/import/flow/import-flow.tsx';
import type { ImportKind } from '../../../ui/import/flow/kind.ts';
import type { Target } from '../../../ui/import/mapping.ts';
import { ModeChoice } from '../../../ui/import/mode-choice.tsx';
import { OrganizationScreen } from '../../../ui/place/organization-screen.tsx';
import { ANNOTATIONS, type ContactRow, labelOf, MODES, numberOf, rowsOf, TEXT_NAMES, TEXTS } from '../model.ts';
import { contactImporter } from '../queries.ts';

const route = getRouteApi('/orgs/$orgId/contacts/import');
const COLORS: Readonly<Partial<Record<string, string>>> = { create: 'green', conflict: 'red', 'org-not-found': 'red' };

function useTargets(): readonly Target[] {
  const words = useTranslations('contacts');
  return [
    ...TEXT_NAMES.map((name) => ({ name, label: words(labelOf(name)), aliases: TEXTS[name] })),
    { name: 'firstName', label: words('firstName'), aliases: ['first', 'given name', 'forename', 'vorname'] },
    { name: 'lastName', label: words('lastName'), aliases: ['last', 'surname', 'family name', 'nachname'] },
    { name: 'site', label: words('site'), aliases: ['location', 'office'] },
    { name: 'roles', label: words('roles'), aliases: ['role'] },
    { name: 'notes', label: words('notes'), aliases: ['note', 'comment'] },
    { name: 'externalId', label: words('externalId'), aliases: ['id'] },
    { name: 'externalSystem', label: words('externalSystem'), aliases: ['system', 'source'] },
  ];
}

/** Says why a row conflicts or was not imported, where we have words for it. */
function useReason(targets: readonly Target[]): (code: string, note?: string) => string | undefined {
  const words = useTranslations('contacts');
  return (code, note) => {
    const [reason, ...invalid] = ((code === 'conflict' && note) || code).split(' ');
    const fields = targets.filter(({ name }) => invalid.includes(name)).map(({ label }) => label);
    if (reason === 'validation_failed' && fields.length > 0) return words('invalid', { fields: fields.join(', ') });
    const key = `conflicts.${reason}` as 'conflicts.duplicate-row';
    return invalid.length === 0 && words.has(key) ? words(key) : undefined;
  };
}

function useKind(): ImportKind<ContactRow> {
  const words = useTranslations('contacts');
  const { orgId } = route.useParams();
  const [mode, setMode] = useState<(typeof MODES)[number]>('skip');
  const targets = useTargets();
  return {
    importer: contactImporter(mode),
    text: words('importText'),
    targets,
    rowsOf: (sheet, mapping) => rowsOf(orgId, sheet, mapping),
    columns: [
      { id: 'name', header: words('name'), cell: ({ row }) => row.name },
      { id: 'email', header: words('email'), cell: ({ row }) => row.email },
      { id: 'phone', header: words('phone'), cell: ({ row }) => numberOf(row) },
      { id: 'site', header: words('site'), cell: ({ row }) => row.site },
    ],
    outcomes: Object.fromEntries(
      ANNOTATIONS.map((name) => {
        const color = COLORS[name] ?? (mode === 'skip' ? 'gray' : 'blue');
        return [name, { label: words(`annotations.${name}`), color }];
      }),
    ),
    result: ({ imported = 0, updated = 0, skipped = 0 }) => words('result', { imported, updated, skipped }),
    reasonOf: useReason(targets),
    fileName: 'contacts-not-imported.csv',
    back: (
      <Button component={Link} to="/orgs/$orgId/contacts" params={{ orgId } as never}>
        {words('toContacts')}
      </Button>
    ),
    options: (
      <ModeChoice
        label={words('mode')}
        modes={MODES}
        labelOf={(one) => words(`modes.${one}`)}
        mode={mode}
        onMode={setMode}
      />
    ),
  };
}

function Flow() {
  return <ImportFlow kind={useKind()} />;
}

/** Imports contacts of an organisation: a table, its columns, what will happen, what happened. */
export function ContactImport() {
  const words = useTranslations('contacts');
  const { orgId } = route.useParams();
  return (
    <OrganizationScreen orgId={orgId} title={words('importTitle')}>
      {(_, frozen) => !frozen && <Flow />}
    </OrganizationScreen>
  );
}
