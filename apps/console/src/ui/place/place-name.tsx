import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useMe } from '../../api/me.ts';
import { clipped, plainName, SafeText } from '../text/safe-text.tsx';
import { placeNameQuery } from './queries.ts';
import type { Level } from './tree/queries.ts';
import './words.ts';

const NAME_LENGTH = 60;

/** A device gave its name itself; people gave the others. */
const Named = ({ level, name }: { readonly level: Level; readonly name: string }) =>
  level === 'device' ? (
    <SafeText value={name} most={NAME_LENGTH} />
  ) : (
    <bdi>{plainName(clipped(name, NAME_LENGTH))}</bdi>
  );

/** What a place is called, as far as the caller may read it. */
export function PlaceName({ level, id }: { readonly level: Level; readonly id: string }) {
  const words = useTranslations('place.tree');
  const { partnerId, orgId, membership } = useMe();
  const own = id === orgId ? membership.orgName : undefined;
  const query = placeNameQuery(level, id);
  const { data = own, isPending } = useQuery({ ...query, enabled: query.enabled && !own });
  if (level === 'partner') return id === partnerId ? words('partner') : words('otherPartner');
  if (isPending && !own) return null;
  return data === undefined || data === null ? words('hidden') : <Named level={level} name={data} />;
}
