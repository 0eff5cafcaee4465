import type { UserCaller } from '@gatehouse/contracts-core';
import type { ImportContactsDto, PreviewedContactRowRecord } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ContactImportRepository } from './contact-import.repository.ts';
import { organizationsOf, planImport, type PlannedRow } from './plan-import.ts';
import { readRows, type RowFault, type RowReading } from './read-rows.ts';

type Annotated = Pick<PreviewedContactRowRecord, 'index' | 'annotation' | 'contactId' | 'conflictReason'>;

/** The members that the preview itself adds to a row. */
const ANNOTATIONS = ['index', 'annotation', 'contactId', 'conflictReason'];

/** The row as it was sent, without the members whose values are not valid and those that the preview adds. */
function echoOf(reading: RowReading | undefined): object {
  const { raw } = reading ?? {};
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return {};
  const invalid = reading && 'fault' in reading ? (reading.fault.members ?? []) : [];
  const left = [...ANNOTATIONS, ...invalid];
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !left.includes(name)));
}

function annotated(planned: PlannedRow): Annotated {
  if (planned.kind === 'org-not-found') return { index: planned.index, annotation: 'org-not-found', contactId: null };
  if (planned.kind === 'fault')
    return { index: planned.index, annotation: 'conflict', contactId: null, conflictReason: reasonOf(planned.fault) };
  const { count: _, ...verdict } = planned.verdict;
  return { index: planned.placed.index, ...verdict };
}

/** A fault without a code of its own is a conflict, which its sentence explains. */
const reasonOf = ({ code, message }: RowFault): string => (code === 'conflict' ? message : code);

@Injectable()
export class ContactImportService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly contactImportRepository: ContactImportRepository,
  ) {}

  /** Returns each row with the change that a commit would make now; writes nothing. */
  preview(caller: UserCaller, batch: ImportContactsDto): Promise<{ rows: object[] }> {
    const readings = readRows(batch);
    return this.work.read(caller, async (reader) => {
      const organizations = await organizationsOf(this.contactImportRepository, reader, caller, {
        readings,
        locking: 'unlocked',
      });
      const plan = await planImport(this.contactImportRepository, reader, caller, {
        readings,
        organizations,
        locking: 'unlocked',
      });
      return { rows: plan.map((planned, at) => ({ ...echoOf(readings[at]), ...annotated(planned) })) };
    });
  }
}
