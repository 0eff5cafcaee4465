/** Replaces values that differ at every run, and secrets, in recorded examples. */
const IDS = ['01', '02', '03', '04', '05', '06', '07', '08'].map((pair) => `0198d3a4-5b6c-7d8e-9f${pair}-a1b2c3d4e5f6`);
const TIME = '2026-01-31T09:30:00.000Z';
const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const OPAQUE = 'Zm9yLWV4YW1wbGUtb25seS1ub3QtYS1zZWNyZXQ';
const SECRET_NAMES =
  /token$|^(key|secret|password|currentPassword|newPassword|challenge|p256dh|auth|mfaToken|planToken)$/i;
const RECOVERY_CODES = ['7k2m-9q4x-3hzt', 'p8dw-2v6c-5rjn'];

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, TIME],
  [/https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, 'https://idp.example.com'],
  [/(?:127\.0\.0\.1|localhost):\d+/g, 'idp.example.com'],
  [/otpauth:.*/g, 'otpauth://totp/Gatehouse:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Gatehouse'],
  [/-----BEGIN CERTIFICATE-----[\s\S]*/g, '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----'],
  [/-[0-9a-f]{8}\b/g, ''],
  [/\b[0-9a-f]{64}\b/g, HEX],
  [/\b(?![0-9a-f]{64}\b)(?=\S*\d)(?=\S*[A-Za-z])[\w+/=-]{32,}(?:\.[\w-]+)*\b/g, OPAQUE],
];

/** Replaces what differs between runs, and every secret. An id becomes the same stand-in wherever it occurs. */
export function neutral(value: unknown, name = '', ids = new Map<string, string>()): unknown {
  if (name === 'recoveryCodes') return RECOVERY_CODES;
  if (typeof value === 'string') return neutralText(value, name, ids);
  if (Array.isArray(value)) return value.slice(0, 2).map((item) => neutral(item, name, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, content]) => [member, neutral(content, member, ids)]));
}

function neutralText(text: string, name: string, ids: Map<string, string>): string {
  const standIn = (id: string): string => {
    if (!ids.has(id)) ids.set(id, IDS[ids.size % IDS.length] ?? '');
    return ids.get(id) ?? '';
  };
  if (text.match(UUID)?.[0] === text) return standIn(text);
  if (SECRET_NAMES.test(name)) return OPAQUE;
  if (/^\d{6}$/.test(text)) return '123456';
  // A stand-in is set last, because the other replacements would take its parts for random ones.
  const kept: string[] = [];
  const marked = text.replaceAll(UUID, (id) => `<${kept.push(standIn(id)) - 1}>`);
  const plain = REPLACEMENTS.reduce((given, [pattern, by]) => given.replaceAll(pattern, by), marked);
  return plain.replaceAll(/<(\d+)>/g, (_, at: string) => kept[Number(at)] ?? '');
}
