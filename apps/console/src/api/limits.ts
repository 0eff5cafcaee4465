import { LIMITS } from './generated/limits.ts';

interface Limit {
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
}

const ALL: Readonly<Record<string, Readonly<Record<string, Limit>>>> = LIMITS;

/** The limits of one member of a body, as the contract states them: `limitOf('POST /pam/rules', 'name').maxLength`. */
export const limitOf = (operation: keyof typeof LIMITS, member: string): Limit => ALL[operation]?.[member] ?? {};

/** The attributes of an input for such a member. */
export function inputLimits(operation: keyof typeof LIMITS, member: string) {
  const { required, maxLength } = limitOf(operation, member);
  return { ...(required && { required }), ...(maxLength !== undefined && { maxLength }) };
}
