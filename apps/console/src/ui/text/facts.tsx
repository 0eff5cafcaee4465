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

/** Where something is. Lines break between the names, not at the hyphens of a host name. */
export const Place = ({ names }: PlaceProps) =>
  names.filter(Boolean).map((name, at) => (
    <Fragment key={at}>
      {at > 0 && ' ▸ '}
      <span className="gh-name">{plainName(name ?? '')}</span>
    </Fragment>
  ));
