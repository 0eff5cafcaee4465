import type { UserCaller } from '@gatehouse/contracts-core';
import type { ImportContactsDto, PreviewedContactRowRecord } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ContactImportRepository } from './contact-import.repository.ts';
import { organizationsOf, type PlannedRow, planImport } from './plan-import.ts';
import { readRows } from './read-rows.ts';

type Annotated = Pick<PreviewedContactRowRecord, 'index' | 'annotation' | 'contactId' | 'conflictReason'>;

@Injectable()
export class PreviewContactImport {
  constructor(
    private readonly work: UnitOfWork,
    private readonly contactImportRepository: ContactImportRepository,
  ) {}

  /**
   * Returns each row with the change that a commit would make now; writes nothing.
   * @throws ProblemError too_many_rows
   */
  execute(caller: UserCaller, batch: ImportContactsDto): Promise<{ rows: object[] }> {
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
      return { rows: plan.map((planned, at) => ({ ...echoOf(readings[at]?.raw), ...annotated(planned) })) };
    });
  }
}

const echoOf = (raw: unknown): object => (typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {});

function annotated(planned: PlannedRow): Annotated {
  if (planned.kind === 'org-not-found') return { index: planned.index, annotation: 'org-not-found', contactId: null };
  if (planned.kind === 'fault')
    return { index: planned.index, annotation: 'conflict', contactId: null, conflictReason: planned.fault.code };
  return { index: planned.placed.index, ...planned.verdict };
}
