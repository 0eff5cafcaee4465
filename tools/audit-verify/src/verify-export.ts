import { type ChainReport, ChainWalk, type CheckpointFile, type Entry, keysById, type KeySet } from './chain-walk.ts';

function requireShape(isRight: boolean, text: string): asserts isRight {
  if (!isRight) throw new SyntaxError(text);
}

const isKeySet = (keys: Partial<KeySet> | null | undefined): boolean => Array.isArray(keys?.keys);

/**
 * Joins the checkpoints of several files. A checkpoint of one file counts even if a later file lacks it: entries may
 * have been removed together with the checkpoints that covered them.
 */
function joined(files: readonly CheckpointFile[]): CheckpointFile {
  const isAnswer = (file: Partial<CheckpointFile> | null) => Array.isArray(file?.data) && isKeySet(file.jwks);
  requireShape(files.every(isAnswer), 'a file of checkpoints is no answer of GET /audit-logs/checkpoints');
  const distinct = new Map(files.flatMap(({ data }) => data).map((checkpoint) => [checkpoint.jws, checkpoint]));
  return { data: [...distinct.values()], jwks: { keys: files.flatMap(({ jwks }) => jwks.keys) } };
}

/**
 * Checks an export against checkpoints: every entry by its hash, every checkpoint by its signature.
 * @param lines the export as JSON lines, each chain whole and in its order
 * @param file an answer of `GET /audit-logs/checkpoints`
 * @param trusted keys from a source of your own; without them those beside the checkpoints count
 * @param earlier answers that were kept before
 * @throws SyntaxError for a line that is no entry, and a file that holds no checkpoints or keys
 */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  file: CheckpointFile,
  trusted?: KeySet,
  earlier: readonly CheckpointFile[] = [],
): Promise<ChainReport[]> {
  const { data, jwks } = joined([file, ...earlier]);
  requireShape(trusted === undefined || isKeySet(trusted), 'the file of keys is no JSON Web Key Set');
  const walks = new Map<string, ChainWalk>();
  const walkOf = (chain: string): ChainWalk => {
    const walk =
      walks.get(chain) ??
      new ChainWalk(
        chain,
        data.filter((checkpoint) => checkpoint.chain === chain),
      );
    walks.set(chain, walk);
    return walk;
  };
  for (const { chain } of data) walkOf(chain);
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const entry = JSON.parse(line) as Entry | null;
    requireShape(typeof entry?.chain === 'string', 'the export has a line that is no entry of an audit log');
    walkOf(entry.chain).take(entry);
  }
  const keys = keysById(trusted ?? jwks);
  return [...walks.values()].map((walk) => walk.report(keys));
}
