import { Badge, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { clipped, elided, piecesOf } from './safe-text-model.ts';

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
      title={shown === value ? undefined : value}
    >
      {piecesOf(shown).map((piece, index) =>
        'text' in piece ? (
          <span key={index}>{piece.text}</span>
        ) : (
          <Badge
            key={index}
            size="xs"
            color="red.9"
            variant="filled"
            aria-label={words('hiddenCharacter', { code: piece.hidden })}
          >
            {piece.hidden}
          </Badge>
        ),
      )}
    </Text>
  );
}
