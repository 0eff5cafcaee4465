import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { EgressError } from './egress-error.ts';

const DECODERS = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };
type Coding = keyof typeof DECODERS;
const isCoding = (name: string): name is Coding => Object.hasOwn(DECODERS, name);

const tooLarge = (maxBytes: number, cause?: unknown): EgressError => new EgressError('too_large', `the answer is larger than ${maxBytes} bytes`, { cause });

/** @throws EgressError too_large, malformed */
export async function readBody(stream: AsyncIterable<Buffer>, coding: string | undefined, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return (await decode(Buffer.concat(chunks), coding?.trim().toLowerCase() ?? 'identity', maxBytes)).toString('utf8');
}

async function decode(body: Buffer, coding: string, maxBytes: number): Promise<Buffer> {
  if (coding === 'identity' || coding === '') return body;
  if (!isCoding(coding)) throw new EgressError('malformed', 'the answer has an unknown content coding');
  try {
    return await DECODERS[coding](body, { maxOutputLength: maxBytes });
  } catch (error) {
    const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isBomb ? tooLarge(maxBytes, error) : new EgressError('malformed', 'the answer cannot be decoded', { cause: error });
  }
}
