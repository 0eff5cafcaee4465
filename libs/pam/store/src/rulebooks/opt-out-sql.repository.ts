/** SQL condition: organisations may leave this rule of the partner; one that comes after their own they always may. */
export const MAY_BE_LEFT = (rule: string): string => `(${rule}.precedence = 'after' OR ${rule}.opt_out = 'allowed')`;
