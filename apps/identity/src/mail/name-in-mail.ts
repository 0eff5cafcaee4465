const LONGEST = 80;
/**
 * Control, format (bidirectional, zero-width), private and unassigned characters, surrogates, line and paragraph
 * separators.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** A scheme, a path, a mail address, or words joined by a dot as in a domain or an IP address. */
const ADDRESS = /[@/\\:<>]|[\p{L}\p{N}]\.[\p{L}\p{N}]{2,}|\d\.\d|^www\./u;

/**
 * Makes a user-chosen name safe for a mail: one line of text without addresses, so that an attacker cannot write to
 * strangers, or lead them to another site, in the product's name. Compatibility forms such as a fullwidth dot are
 * replaced by their plain form (NFKC).
 * @param name any text
 * @param otherwise used when nothing of the name is left
 * @returns at most 80 characters
 */
export function nameInMail(name: string, otherwise: string): string {
  const words = name.normalize('NFKC').replaceAll('\u3002', '.').replace(UNPRINTABLE, ' ').split(/\s+/u);
  const said = words.filter((word) => word !== '' && !ADDRESS.test(word)).join(' ');
  return [...said].slice(0, LONGEST).join('').trim() || otherwise;
}
