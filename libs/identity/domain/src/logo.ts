const DATA_URI = /^data:image\/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;
const MAX_URL = 2_000;
/** Characters that RFC 3986 does not allow in an address and that could break a page. */
const NOT_IN_URL = /[\s"<>\\`]/;

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));

/** The leading bytes of each image type, which are checked whatever the data URI claims. */
const SIGNATURES: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  png: (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  jpeg: (bytes) => startsWith(bytes, '\xff\xd8\xff'),
  webp: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
};

function isAddress(value: string): boolean {
  if (value.length > MAX_URL || NOT_IN_URL.test(value) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return protocol === 'https:' && !username && !password;
}

/** SSO-49: accepts an https address, which only browsers fetch, or a PNG, JPEG or WebP image in base64. */
export function isLogo(value: string): boolean {
  const [, kind, base64] = DATA_URI.exec(value) ?? [];
  return kind && base64 ? (SIGNATURES[kind]?.(Buffer.from(base64, 'base64')) ?? false) : isAddress(value);
}
