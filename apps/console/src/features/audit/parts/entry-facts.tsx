import { Code, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import type { AuditEntry } from '../model.ts';

const SHOWN_HASH = 16;

const hash = (value: string) => <CopyText text={value} shown={`${value.slice(0, SHOWN_HASH)}…`} />;

/** Everything that one entry holds. */
export function EntryFacts({ entry }: { readonly entry: AuditEntry }) {
  const words = useTranslations('audit.facts');
  const actorWords = useTranslations('audit.actors');
  const { actor, resource } = entry;
  const facts = [
    { name: words('action'), value: entry.action },
    { name: words('actor'), value: `${actorWords(actor.type)} ${actor.name ?? actor.id ?? ''}` },
    { name: words('resource'), value: `${resource.type} ${resource.name ?? resource.id ?? ''}` },
    { name: words('ip'), value: entry.ip },
    { name: words('userAgent'), value: entry.userAgent && <SafeText value={entry.userAgent} most={80} /> },
    { name: words('requestId'), value: entry.requestId && <CopyText text={entry.requestId} /> },
    { name: words('sequence'), value: `#${entry.sequence}` },
    { name: words('hash'), value: hash(entry.hash) },
    { name: words('previousHash'), value: hash(entry.previousHash) },
  ];
  return (
    <Stack gap="xs">
      <Facts facts={facts} />
      <Code block tabIndex={0}>
        {JSON.stringify(entry.details, null, 2)}
      </Code>
    </Stack>
  );
}
