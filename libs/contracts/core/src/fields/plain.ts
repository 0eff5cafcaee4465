/**
 * Whether a value fits a field. A check has no error message: a value that fails it goes to the full validation, which
 * has one.
 */
export type Check = (value: unknown) => boolean;
/** Converts a value that has several spellings to its canonical one; leaves every other value unchanged. */
export type Form = (value: unknown) => unknown;
type Checks = ReadonlyMap<string, Check | null>;
type Forms = ReadonlyMap<string, Form>;

const CHECKS = Symbol('checks');
const FORMS = Symbol('forms');
const PLAIN = Symbol('plain');

/** Stores an entry about a field of a class under `key`; subclasses inherit it. */
export function note<T>(prototype: object, key: symbol, field: string, entry: T): void {
  const known = (Reflect.get(prototype, key) as ReadonlyMap<string, T> | undefined) ?? new Map<string, T>();
  Reflect.defineProperty(prototype, key, { value: new Map([...known, [field, entry]]), configurable: true });
}

/** Registers the check of a field; null for a field that only the full validation can judge. */
export const noteCheck = (prototype: object, field: string, check: Check | null): void =>
  note(prototype, CHECKS, field, check);

/** Registers the canonical form of a field that accepts several; the full validation needs its own registration. */
export const noteForm = (prototype: object, field: string, form: Form): void => note(prototype, FORMS, field, form);

const formed = (prototype: object, field: string, value: unknown): unknown =>
  (Reflect.get(prototype, FORMS) as Forms | undefined)?.get(field)?.(value) ?? value;

/**
 * For DTOs and events that arrive by the thousand: their values are checked in one pass, without the validator library.
 * The class may contain only fields declared with our own decorators.
 */
export const Plain = (): ClassDecorator => (type) => {
  const checks = Reflect.get(type.prototype as object, CHECKS) as Checks | undefined;
  const unfit = [...(checks ?? [])].find(([, check]) => check === null);
  if (!checks || unfit)
    throw new Error(`${type.name} cannot be plain because of ${unfit?.[0] ?? 'its lack of fields'}`);
  Reflect.defineProperty(type, PLAIN, { value: true });
};

/**
 * An instance with only the members of the class; null when the class is not plain, or when the full validation has to
 * report an error.
 */
export function asPlain<T extends object>(type: new () => T, value: unknown): T | null {
  if (!Object.hasOwn(type, PLAIN) || typeof value !== 'object' || value === null) return null;
  const instance = new type();
  for (const [field, check] of Reflect.get(type.prototype as object, CHECKS) as ReadonlyMap<string, Check>) {
    const member: unknown = Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
    if (!check(member)) return null;
    if (member !== undefined) Reflect.set(instance, field, formed(type.prototype as object, field, member));
  }
  return instance;
}
