import { Link } from '@tanstack/react-router';
import type { Column } from '../../lists/data-table.tsx';
import { SafeText } from '../../text/safe-text.tsx';
import { Countdown } from '../../text/time.tsx';
import { type ElevationRequest, shortNameOf } from '../request.ts';
import { WindowButtons } from '../window-buttons.tsx';

const TEXT_LENGTH = 48;

/** A column under the heading that the list gives it, sorted where the list can be. */
type Named = (heading: Pick<Column<ElevationRequest>, 'header' | 'sort'>) => Column<ElevationRequest>;

export const leftColumn: Named = (heading) => ({
  id: 'left',
  ...heading,
  cell: (row) => row.expiresAt && <Countdown until={row.expiresAt} />,
});

export const whatColumn: Named = (heading) => ({
  id: 'what',
  wide: true,
  ...heading,
  cell: (row) => (
    <Link to="/requests/$requestId" params={{ requestId: row.id }} data-open>
      <SafeText value={shortNameOf(row)} most={TEXT_LENGTH} />
    </Link>
  ),
});

export const whoColumn: Named = (heading) => ({
  id: 'who',
  ...heading,
  cell: (row) => <SafeText value={row.subjectUsername ?? row.requestedByName ?? ''} most={TEXT_LENGTH} />,
});

export const grantedByColumn: Named = (heading) => ({
  id: 'by',
  ...heading,
  cell: (row) => row.approvedByName ?? row.pamRuleName ?? row.matchedPolicyName,
});

export const windowActsColumn: Named = (heading) => ({
  id: 'acts',
  ...heading,
  bare: true,
  needs: 'POST /pam/elevation-requests/{id}/revoke',
  cell: (row) => <WindowButtons request={row} />,
});
