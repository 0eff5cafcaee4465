import { ok } from '@gatehouse/client';
import { api, getQuery } from '../../../api/client.ts';
import type { Importer } from '../../../ui/import/flow/use-run.ts';
import type { FieldRow, ScriptRow, ValueRow } from './model.ts';

const MAX_FIELDS = 500;
const MAX_VALUES = 1000;
const MAX_SCRIPTS = 100;

export const fieldImporter: Importer<FieldRow> = {
  batchLength: MAX_FIELDS,
  preview: async (rows) => {
    const { rows: previewed } = await ok(api.POST('/custom-fields/import/preview', { body: { rows: [...rows] } }));
    return previewed.map(({ annotation: outcome }) => ({ outcome, ...(outcome === 'conflict' && { note: outcome }) }));
  },
  send: async (rows) => {
    const { created, updated, skipped, errors } = await ok(
      api.POST('/custom-fields/import', { body: { rows: [...rows] } }),
    );
    return { counts: { created: created.length, updated: updated.length, skipped: skipped.length }, errors };
  },
  changes: ['library', 'devices'],
};

export const MODES = ['skip', 'overwrite'] as const;

export const valueImporter = (mode: (typeof MODES)[number]): Importer<ValueRow> => ({
  batchLength: MAX_VALUES,
  preview: async (rows) => {
    const body = { rows: [...rows], mode };
    const { rows: previewed } = await ok(api.POST('/devices/custom-fields/import/preview', { body }));
    // Of a device that was found, it is a value that conflicts.
    const isUnfit = ({ outcome, deviceId }: (typeof previewed)[number]) => outcome === 'conflict' && deviceId !== null;
    return previewed.map((row) => ({ outcome: isUnfit(row) ? 'unfit' : row.outcome }));
  },
  send: async (rows) => {
    const body = { rows: [...rows], mode };
    const { applied, skipped, errors } = await ok(api.POST('/devices/custom-fields/import', { body }));
    return { counts: { applied: applied.length, skipped: skipped.length }, errors };
  },
  changes: ['devices'],
});

export const scriptImporter: Importer<ScriptRow> = {
  batchLength: MAX_SCRIPTS,
  send: async (rows) => {
    const { imported, skipped, errors } = await ok(api.POST('/scripts/import', { body: { scripts: [...rows] } }));
    return { counts: { imported: imported.length, skipped: skipped.length }, errors };
  },
  changes: ['library'],
};

const CHOICES = 100;

/** The first hundred fields in reach: a column may be the values of any of them. */
export const fieldChoicesQuery = (orgId: string | undefined) =>
  getQuery('library', '/custom-fields', { query: { orgId, limit: CHOICES }, select: ({ data }) => data });
