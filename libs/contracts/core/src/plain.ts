/** Whether a value fits a field. A check has no words: what fails it goes to the full validation, which has them. */
export type Check = (value: unknown) => boolean;
type Checks = ReadonlyMap<string, Check | null>;

const CHECKS = Symbol('checks');
const PLAIN = Symbol('plain');

/** Of each field of a class by its name; null for a field that only the full validation can judge. */
export function noteCheck(prototype: object, field: string, check: Check | null): void {
  const known = (Reflect.get(prototype, CHECKS) as Checks | undefined) ?? new Map<string, Check | null>();
  Reflect.defineProperty(prototype, CHECKS, { value: new Map([...known, [field, check]]), configurable: true });
}

/**
 * For DTOs and events that come by the thousand: their values are checked in one pass, without the validator's
 * machinery. The class may hold nothing but fields of our own vocabulary.
 */
export const Plain = (): ClassDecorator => (type) => {
  const checks = Reflect.get(type.prototype as object, CHECKS) as Checks | undefined;
  const unfit = [...(checks ?? [])].find(([, check]) => check === null);
  if (!checks || unfit) throw new Error(`${type.name} cannot be plain because of ${unfit?.[0] ?? 'its lack of fields'}`);
  Reflect.defineProperty(type, PLAIN, { value: true });
};

/** An instance with the members of the class alone; null when the class is not plain, or the full validation has to say what is wrong. */
export function asPlain<T extends object>(type: new () => T, value: unknown): T | null {
  if (!Object.hasOwn(type, PLAIN) || typeof value !== 'object' || value === null) return null;
  const instance = new type();
  for (const [field, check] of Reflect.get(type.prototype as object, CHECKS) as ReadonlyMap<string, Check>) {
    const member: unknown = Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
    if (!check(member)) return null;
    if (member !== undefined) Reflect.set(instance, field, member);
  }
  return instance;
}
