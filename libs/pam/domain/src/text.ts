/** ASCII letters only: a Kelvin sign is no `k`, and a dotted capital I stays itself, whatever the locale. */
export const foldCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Windows takes both slashes; ours is `/`. */
export const foldPath = (path: string): string => foldCase(path).replaceAll('\\', '/');

/** A blank text is no value. */
export const presentOrNull = (text: string | null | undefined): string | null => (text === null || text === undefined || text.trim() === '' ? null : text);

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
