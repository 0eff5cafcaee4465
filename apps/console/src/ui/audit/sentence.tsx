import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { AUDIT_ACTIONS } from '../../api/generated/actions.ts';
import { SafeText } from '../text/safe-text.tsx';
import { type AuditEntry, countOf, outcomeOf, toldRequest } from './told-request.ts';
import auditActs from '../../words/en/auditActs.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ auditActs });

type Sentence = 'pam_rule_update';

const NAME_LENGTH = 60;

/** `pam.rule.update` → `pam rule update`: readable where no sentence is known. */
const readable = (action: string): string => action.replaceAll(/[._]/g, ' ');

const thing = (text: ReactNode) => <SafeText value={[text].flat().join('')} most={NAME_LENGTH} />;
const file = (text: ReactNode) => <SafeText path value={[text].flat().join('')} most={NAME_LENGTH} />;

/** Who acted. The name of a service says nothing to a reader: such acts are the system's. */
export function ActorName({ actor: { type, name, label } }: Pick<AuditEntry, 'actor'>) {
  const words = useTranslations('auditActs.actors');
  if (label) return words.rich('key', { name: name ?? words(type), label, thing });
  return type === 'system' ? words(type) : (name ?? words(type));
}

/** What the actor of an entry did or tried, in words: the actor's name stands before it. */
export function ActSentence({ entry }: { readonly entry: AuditEntry }) {
  const words = useTranslations('auditActs');
  const { action, resource, result } = entry;
  const name = resource.name ?? resource.id ?? '';
  const key = action.replaceAll('.', '_') as Sentence;
  if (!words.has(key))
    return (
      <>
        {readable(action)} {thing(name)}
      </>
    );
  return words.rich(key, {
    done: String(result === 'success'),
    outcome: outcomeOf(entry),
    count: countOf(entry),
    name,
    at: name === '' ? 'unknown' : 'known',
    thing,
    request: () => words.rich('request', { ...toldRequest(entry), thing, file }),
  });
}

const plain = (text: string): string => text;
const OF_ANY = { done: 'true', outcome: 'none', count: 0, name: '…', at: 'known', thing: plain } as const;
const OF_REQUEST = { what: 'unknown', program: '', by: 'unknown', asker: '', at: 'unknown', name: '' } as const;

/** What each action says of any thing: `approved an elevation`, `created the rule …`. */
export function useSentences(): ReadonlyMap<(typeof AUDIT_ACTIONS)[number], string> {
  const words = useTranslations('auditActs');
  const request = () => words.markup('request', { ...OF_REQUEST, thing: plain, file: plain });
  return new Map(
    AUDIT_ACTIONS.map((action) => [
      action,
      words.markup(action.replaceAll('.', '_') as Sentence, { ...OF_ANY, request }),
    ]),
  );
}
