import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { plainName } from './safe-text.tsx';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and values of one thing; facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="gh-facts">
      {facts
        .filter(({ value }) => value !== null && value !== undefined && value !== '')
        .map(({ name, value }) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0}>
              {value}
            </Text>
          </div>
        ))}
    </dl>
  );
}

interface PlaceProps {
  /** From the top: organisation, site, device. Unknown ones are left out. */
  readonly names: readonly (string | null | undefined)[];
}

/** As long as a place may be to stay in one line where a list has other columns to narrow. */
const WHOLE_LENGTH = 28;

/** Where something is. Lines break between the names, not at the hyphens of a host name. */
export function Place({ names }: PlaceProps) {
  const shown = names.flatMap((name) => (name ? plainName(name) : []));
  return (
    <span className={shown.join(' ▸ ').length <= WHOLE_LENGTH ? 'gh-whole' : undefined}>
      {shown.map((name, at) => (
        <Fragment key={at}>
          {at > 0 && ' ▸ '}
          <span className="gh-name">{name}</span>
        </Fragment>
      ))}
    </span>
  );
}
