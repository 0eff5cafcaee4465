import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import people from '../../words/en/people.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ people });

const CODE = /\*|\b[a-z]+:[a-z]+\b/g;
const isPermission = (code: string): code is keyof typeof people.rights => code in people.rights;

/** A sentence of the API that names permissions: it names them in words, with their codes in small print. */
export function PermissionText({ text }: { readonly text: string }) {
  const words = useTranslations('people');
  const codes = text.match(CODE)?.filter(isPermission) ?? [];
  return (
    <>
      {text.replaceAll(CODE, (code) => (isPermission(code) ? `“${words(`rights.${code}`)}”` : code))}
      {codes.length > 0 && (
        <Text component="code" size="xs" c="dimmed" display="block">
          {codes.join(', ')}
        </Text>
      )}
    </>
  );
}
