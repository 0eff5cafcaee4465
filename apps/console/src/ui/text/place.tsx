import { Fragment } from 'react';
import { plainName } from './safe-text-model.ts';

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
