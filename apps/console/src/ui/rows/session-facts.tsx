import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SafeText } from '../text/safe-text.tsx';
import { Instant } from '../text/time.tsx';
import sessions from '../../words/en/sessions.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ sessions });

const PROGRAM_LENGTH = 60;

interface SessionFactsProps {
  readonly session: {
    readonly userAgent: string | null;
    readonly ip: string | null;
    readonly signedInVia: 'password' | 'sso' | 'invitation';
    readonly refreshedAt: string;
  };
  /** Where the session is, if it may be elsewhere. */
  readonly place?: string;
}

/** With which program a person is signed in, how, from where and when last. */
export function SessionFacts({ session, place }: SessionFactsProps) {
  const words = useTranslations('sessions');
  const { userAgent, ip, signedInVia, refreshedAt } = session;
  const browser = userAgent && browserNameOf(userAgent);
  return (
    <>
      <Text size="sm" component="div" title={userAgent ?? undefined}>
        {browser || <SafeText value={userAgent ?? words('unknownProgram')} most={PROGRAM_LENGTH} />}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {place && `${place} · `}
        {words(`via.${signedInVia}`)}
        {ip && ` · ${ip}`} · <Instant at={refreshedAt} />
      </Text>
    </>
  );
}

const PROGRAMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

const firstIn = (known: typeof PROGRAMS, userAgent: string) => known.find(([pattern]) => pattern.test(userAgent))?.[1];

/** "Chrome, Windows", by which a person tells their devices apart; null for an unknown program. */
export function browserNameOf(userAgent: string): string | null {
  const names = [firstIn(PROGRAMS, userAgent), firstIn(SYSTEMS, userAgent)].filter(Boolean);
  return names.length > 0 ? names.join(', ') : null;
}
