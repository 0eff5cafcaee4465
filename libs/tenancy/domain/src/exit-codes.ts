import { SEVERITIES } from '@gatehouse/contracts-tenancy';

const EXIT_CODE = /^-?\d{1,10}$/;
const isSeverity = (value: unknown): boolean => SEVERITIES.some((severity) => severity === value);

/** The first entry that is not `exit code: severity`, or null. Exit code 0 means success and has no severity. */
export const faultyExitCode = (mapping: Readonly<Record<string, unknown>>): string | null =>
  Object.entries(mapping).find(
    ([code, severity]) => !EXIT_CODE.test(code) || Number(code) === 0 || !isSeverity(severity),
  )?.[0] ?? null;
