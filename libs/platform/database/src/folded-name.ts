import { foldCharacter, foldName } from '@gatehouse/contracts-core';
import { Column, type MigrationInterface, type QueryRunner } from 'typeorm';

/** No character beyond the second plane has two cases; a migration must not count for long in its transaction. */
const LAST_CODE_POINT = 0x1_ff_ff;
const isSurrogate = (code: number): boolean => code >= 0xd8_00 && code <= 0xdf_ff;
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** What {@link foldName} takes for blanks, as a bracket expression of PostgreSQL. */
const BLANKS = String.raw`[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+`;

/** The characters that folding changes: those that become one other, and those that become several. */
function foldedCharacters(): { from: string; to: string; longer: readonly (readonly [string, string])[] } {
  const [from, to]: string[][] = [[], []];
  const longer: (readonly [string, string])[] = [];
  for (let code = 0; code <= LAST_CODE_POINT; code++) {
    if (isSurrogate(code)) continue;
    const character = String.fromCodePoint(code);
    const folded = foldCharacter(character);
    if (folded === character) continue;
    if ([...folded].length > 1) longer.push([character, folded]);
    else void [from?.push(character), to?.push(folded)];
  }
  return { from: (from ?? []).join(''), to: (to ?? []).join(''), longer };
}

/**
 * SQL that creates `folded_name(text)`, which gives what {@link foldName} gives. The program makes it of its own table
 * of characters, so that generated columns and searches compare as the program does, whatever locale the database has.
 */
function createFoldedName(): string {
  const { from, to, longer } = foldedCharacters();
  const joined = `btrim(regexp_replace(normalize(name, NFC), ${quoted(BLANKS)}, ' ', 'g'), ' ')`;
  const lengthened = longer.reduce(
    (text, [character, folded]) => `replace(${text}, ${quoted(character)}, ${quoted(folded)})`,
    joined,
  );
  return `
    CREATE OR REPLACE FUNCTION folded_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $fold$
      SELECT CASE WHEN name COLLATE "C" ~ '^[!-~]+( [!-~]+)*$' THEN lower(name COLLATE "C")
        ELSE normalize(translate(${lengthened}, ${quoted(from)}, ${quoted(to)}), NFC) END
    $fold$;`;
}

/** For every database in which names are searched or compared. */
export class FoldedNameFunction1700000000003 implements MigrationInterface {
  name = 'FoldedNameFunction1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createFoldedName());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION folded_name');
  }
}

/** A generated column with the folded form of `column`. */
export const FoldedColumn = (column: string): PropertyDecorator =>
  Column({
    type: 'text',
    nullable: true,
    generatedType: 'STORED',
    asExpression: `folded_name((${column})::text)`,
    insert: false,
    update: false,
  });

/** `LIKE` pattern that finds the text, taken literally, anywhere in a folded name; undefined for an empty text. */
export function foldedPattern(text?: string): string | undefined {
  const folded = text && foldName(text);
  return folded ? `%${folded.replace(/[\\%_]/g, String.raw`\$&`)}%` : undefined;
}
