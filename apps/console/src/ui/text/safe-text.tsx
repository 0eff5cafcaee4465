import { Badge, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslations } from 'use-intl';

/** A run of plain text, or one character that a reader could not see. */
type Piece = { readonly text: string } | { readonly hidden: string };

/** Control characters, bidirectional and zero-width formatting, and the fillers that look like blanks. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800\u034f\u180b-\u180f\ufe00-\ufe0f]/u;

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Splits a text so that what hides in it can be shown. */
function piecesOf(value: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = '';
  for (const character of value) {
    if (!HIDDEN.test(character)) {
      plain += character;
      continue;
    }
    if (plain !== '') pieces.push({ text: plain });
    pieces.push({ hidden: nameOf(character) });
    plain = '';
  }
  return plain === '' ? pieces : [...pieces, { text: plain }];
}

/** A name for titles and labels, which show text alone: hidden characters stand there by their numbers. */
export const plainName = (value: string): string =>
  piecesOf(value)
    .map((piece) => ('text' in piece ? piece.text : `[${piece.hidden}]`))
    .join('');

const ELLIPSIS = '…';

/** The name at the end of a Windows or Unix path. */
export const fileNameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/** Shortens a path in its middle; the file name always stays whole. */
function elided(path: string, most: number): string {
  const characters = [...path];
  if (characters.length <= most) return path;
  const name = [...fileNameOf(path)];
  const head = Math.max(3, most - name.length - 2);
  return `${characters.slice(0, head).join('')}${ELLIPSIS}${characters.slice(-(name.length + 1)).join('')}`;
}

/** Shortens any other text at its end. */
export function clipped(value: string, most: number): string {
  const characters = [...value];
  return characters.length <= most ? value : `${characters.slice(0, most).join('')}${ELLIPSIS}`;
}

/** Where a name, a path or an address breaks rather than within a word; what is longer than a path breaks anywhere. */
const BREAKS = /(?<=[\\/@?=])/;
const PATH_LENGTH = 260;
/** What is not longer stays whole, also in a column that could be narrower. */
const WHOLE_LENGTH = 16;

const wordsOf = (text: string): readonly string[] =>
  text.length <= WHOLE_LENGTH || text.length > PATH_LENGTH ? [text] : text.split(BREAKS);

/** A text that may break between its words alone, as long as these have room. */
export const Breaking = ({ text }: { readonly text: string }) =>
  wordsOf(text).map((word, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {word}
    </Fragment>
  ));

interface SafeTextProps {
  readonly value: string;
  /** A path keeps its file name when it is shortened. */
  readonly path?: boolean;
  /** How many characters are shown; all by default. */
  readonly most?: number;
  readonly size?: string;
  readonly fw?: number;
}

/**
 * A text that a device or a user gave: in monospace, isolated from the text around it, with each character that hides
 * something as a chip. People grant rights by reading these texts.
 */
export function SafeText({ value, path = false, most, size = 'sm', fw }: SafeTextProps) {
  const words = useTranslations('ui');
  const shown = most === undefined ? value : (path ? elided : clipped)(value, most);
  return (
    <Text
      span
      size={size}
      fw={fw}
      ff="monospace"
      dir="ltr"
      className="gh-data"
      data-whole={wordsOf(shown).every((word) => word.length <= WHOLE_LENGTH) || undefined}
      title={shown === value ? undefined : value}
    >
      {piecesOf(shown).map((piece, index) =>
        'text' in piece ? (
          <span key={index}>
            <Breaking text={piece.text} />
          </span>
        ) : (
          <Badge
            key={index}
            size="xs"
            color="red.9"
            variant="filled"
            className=""
            aria-label={words('hiddenCharacter', { code: piece.hidden })}
          >
            {piece.hidden}
          </Badge>
        ),
      )}
    </Text>
  );
}
