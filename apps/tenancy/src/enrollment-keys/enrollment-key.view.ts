import type { EnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import type { EnrollmentKeyRow } from './enrollment-keys.repository.ts';

export const enrollmentKeyView = ({ partnerId: _, ...key }: EnrollmentKeyRow): EnrollmentKeyResponse => key;
