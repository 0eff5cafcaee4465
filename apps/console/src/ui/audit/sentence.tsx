import type { DataOf } from '@gatehouse/client';
import { useTranslations } from 'use-intl';
import { SafeText } from '../text/safe-text.tsx';
import './words.ts';

type AuditEntry = DataOf<'/audit-logs', 'get'>['data'][number];
type Sentence = 'pam_rule_update';

const NAME_LENGTH = 60;
const NO_TOOL = 'none';

/** `pam.rule.update` → `pam rule update`: readable where no sentence is known. */
export const readable = (action: string): string => action.replaceAll(/[._]/g, ' ');

const toolOf = ({ toolName }: AuditEntry['details']): string =>
  typeof toolName === 'string' && toolName !== '' ? toolName : NO_TOOL;

/** What the actor of an entry did or tried, in words: the actor's name stands before it. */
export function ActSentence({ entry: { action, resource, result, details } }: { readonly entry: AuditEntry }) {
  const words = useTranslations('auditActs');
  const name = resource.name ?? resource.id ?? '';
  const key = action.replaceAll('.', '_') as Sentence;
  if (!words.has(key))
    return (
      <>
        {readable(action)} <SafeText value={name} most={NAME_LENGTH} />
      </>
    );
  return words.rich(key, {
    done: String(result === 'success'),
    tool: toolOf(details),
    name,
    thing: (chunks) => <SafeText value={[chunks].flat().join('')} most={NAME_LENGTH} />,
  });
}
