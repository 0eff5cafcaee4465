import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { type Level, placeNameQuery } from '../policies.ts';

const NAME_LENGTH = 60;

/** What a place is called; its id where its name may not be read. */
export function PlaceName({ level, id }: { readonly level: Level; readonly id: string }) {
  const words = useTranslations('captureLevels');
  const { partnerId } = useMe();
  const { data, isPending } = useQuery(placeNameQuery(level, id));
  if (level === 'partner') return id === partnerId ? words('ownPartner') : words('levels.partner');
  if (isPending) return null;
  return <SafeText value={data ?? id} most={NAME_LENGTH} />;
}
