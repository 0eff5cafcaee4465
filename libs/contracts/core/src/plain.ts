/** Whether a value fits a field. A check has no words: what fails it goes to the full validation, which has them. */
export type Check = (value: unknown) => boolean;
/** The one way of writing a value that can be written in several; whatever is no such value stays as it is. */
type Form = (value: unknown) => unknown;
type Checks = ReadonlyMap<string, Check | null>;
type Forms = ReadonlyMap<string, Form>;

const CHECKS = Symbol('checks');
const FORMS = Symbol('forms');
const PLAIN = Symbol('plain');

/** Keeps something about a field of a class, under `key`; heirs of the class know it too. */
export function note<T>(prototype: object, key: symbol, field: string, entry: T): void {
  const known = (Reflect.get(prototype, key) as ReadonlyMap<string, T> | undefined) ?? new Map<string, T>();
  Reflect.defineProperty(prototype, key, { value: new Map([...known, [field, entry]]), configurable: true });
}

/** Of each field of a class by its name; null for a field that only the full validation can judge. */
export const noteCheck = (prototype: object, field: string, check: Check | null): void =>
  note(prototype, CHECKS, field, check);

/** Of a field that is held in another form than it may come in; the full validation has to be told by itself. */
export const noteForm = (prototype: object, field: string, form: Form): void => note(prototype, FORMS, field, form);

const formed = (prototype: object, field: string, value: unknown): unknown =>
  (Reflect.get(prototype, FORMS) as Forms | undefined)?.get(field)?.(value) ?? value;

/**
 * For DTOs and events that come by the thousand: their values are checked in one pass, without the validator's
 * machinery. The class may hold nothing but fields of our own vocabulary.
 */
export const Plain = (): ClassDecorator => (type) => {
  const checks = Reflect.get(type.prototype as object, CHECKS) as Checks | undefined;
  const unfit = [...(checks ?? [])].find(([, check]) => check === null);
  if (!checks || unfit)
    throw new Error(`${type.name} cannot be plain because of ${unfit?.[0] ?? 'its lack of fields'}`);
  Reflect.defineProperty(type, PLAIN, { value: true });
};

/**
 * An instance with the members of the class alone; null when the class is not plain, or the full validation has to say
 * what is wrong.
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
