import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { EgressError, tooLarge } from './egress-error.ts';

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};
type Coding = keyof typeof DECODERS;
const isCoding = (name: string): name is Coding => Object.hasOwn(DECODERS, name);

/** @throws EgressError too_large, malformed */
export async function decodeBody(body: Buffer, contentEncoding: string | undefined, maxBytes: number): Promise<string> {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  if (coding === 'identity' || coding === '') return body.toString('utf8');
  if (!isCoding(coding)) throw new EgressError('malformed', 'the answer has an unknown content coding');
  try {
    return (await DECODERS[coding](body, { maxOutputLength: maxBytes })).toString('utf8');
  } catch (error) {
    const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isBomb
      ? tooLarge(maxBytes, error)
      : new EgressError('malformed', 'the answer cannot be decoded', { cause: error });
  }
}
