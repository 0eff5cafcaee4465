import { useFormatter, useTranslations } from 'use-intl';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import type { FieldValue } from '../queries.ts';

const VALUE_LENGTH = 200;

/** The value of a custom field, as its kind is read. */
export function ShownValue({ field: { type, value } }: { readonly field: FieldValue }) {
  const words = useTranslations('ui');
  const format = useFormatter();
  if (value === null) return words('none');
  if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
  if (typeof value === 'number') return format.number(value, { maximumFractionDigits: 20 });
  // A day has no zone: it is read and written as one of UTC.
  if (type === 'date') return format.dateTime(new Date(value), { dateStyle: 'medium', timeZone: 'UTC' });
  return <SafeText value={value} most={VALUE_LENGTH} />;
}
