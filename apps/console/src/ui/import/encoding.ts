/** The encodings in which spreadsheets save tables, in the order in which people choose them. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Enough of a file to see whether every second byte is zero, as in UTF-16 text of European scripts. */
const SAMPLE = 4096;
const MOSTLY = 0.4;

const shareOfZeros = (bytes: Uint8Array, first: number): number => {
  const every = bytes.subarray(0, SAMPLE).filter((_, at) => at % 2 === first);
  return every.length === 0 ? 0 : every.filter((byte) => byte === 0).length / every.length;
};

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Finds the encoding of a text: by its mark, by zeros, and as Windows-1252 where it is no UTF-8. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return marked[0];
  if (shareOfZeros(bytes, 1) > MOSTLY) return 'utf-16le';
  if (shareOfZeros(bytes, 0) > MOSTLY) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

export const decoded = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes);

/** How many characters of a text could not be read. */
export const unreadableIn = (text: string): number => text.split('\uFFFD').length - 1;

export const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

/** Reads a text file in the encoding that it seems to have. */
export async function textOf(file: Blob): Promise<string> {
  const bytes = await bytesOf(file);
  return decoded(bytes, encodingOf(bytes));
}
