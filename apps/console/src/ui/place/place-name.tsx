import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useMe } from '../../api/me.ts';
import { SafeText } from '../text/safe-text.tsx';
import { placeNameQuery } from './queries.ts';
import type { Level } from './tree/queries.ts';
import './words.ts';

const NAME_LENGTH = 60;

/** What a place is called; its id where its name may not be read. */
export function PlaceName({ level, id }: { readonly level: Level; readonly id: string }) {
  const words = useTranslations('place.tree');
  const { partnerId, orgId, membership } = useMe();
  const own = id === orgId ? membership.orgName : undefined;
  const query = placeNameQuery(level, id);
  const { data = own, isPending } = useQuery({ ...query, enabled: query.enabled && !own });
  if (level === 'partner') return id === partnerId ? words('partner') : words('otherPartner');
  if (isPending && !own) return null;
  return <SafeText value={data ?? id} most={NAME_LENGTH} />;
}
