import { useTranslations } from 'use-intl';
import type { Field } from '../../../ui/forms/fields.ts';
import { MATCHES } from '../model.ts';

const NAME_MAX = 255;
const MOST = { sha256: 64, signer: 255, publisher: 255, pathGlob: 1024 } as const;

/** The name of an entry and what it matches by. */
export function useEntryFields(): readonly Field[] {
  const words = useTranslations('softwarePolicies');
  return [
    { name: 'name', label: words('name'), required: true, maxLength: NAME_MAX },
    ...MATCHES.map((name) => ({ name, label: words(`matches.${name}`), maxLength: MOST[name] })),
  ];
}
