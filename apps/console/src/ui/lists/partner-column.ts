import { useTranslations } from 'use-intl';
import { useMe } from '../../api/me.ts';
import '../place/words.ts';
import { type Owned, usePartnerOf } from '../use-org.tsx';
import type { Column } from './data-table.tsx';

/** Names the partner of each row, in lists of operators. */
export function usePartnerColumn<Row extends Owned>(rows: readonly Row[]): readonly Column<Row>[] {
  const words = useTranslations('place');
  const { scope } = useMe();
  const partnerOf = usePartnerOf(rows);
  return scope === 'system' ? [{ id: 'partner', header: words('partner'), cell: partnerOf }] : [];
}
