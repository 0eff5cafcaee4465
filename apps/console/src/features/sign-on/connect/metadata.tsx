import { Alert, Button, FileButton, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { serverNow } from '../../../api/browser.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { trustedIn } from '../certificates.ts';
import { faultOf } from '../draft.ts';
import { CertificateFacts } from '../parts/certificates.tsx';
import { readMetadata } from '../queries.ts';

type Read = Awaited<ReturnType<typeof readMetadata>>;

/** The settings that metadata give. */
export type MetadataSettings = Readonly<Record<'entityId' | 'ssoUrl' | 'certificate' | 'metadataUrl', string>>;

/** Metadata without a doubt, read from their address, go on being read there (SSO-209). */
const settingsOf = ({ entityId, ssoUrl, certificates, warnings }: Read, written: string): MetadataSettings => ({
  entityId,
  ssoUrl,
  certificate: trustedIn(certificates, serverNow()),
  metadataUrl: written.startsWith('<') || warnings.length > 0 ? '' : written,
});

/** What was read, so that one can compare the fingerprints before one trusts them. */
function Found({ certificates, warnings }: Read) {
  const words = useTranslations('signOn');
  return (
    <>
      <Alert color="green" variant="light" role="status">
        {words('metadataRead')}
      </Alert>
      {warnings.map(({ detail }) => (
        <Alert key={detail} color="orange" variant="light">
          {detail}
        </Alert>
      ))}
      {certificates.map((certificate) => (
        <CertificateFacts key={certificate.sha256} certificate={certificate} />
      ))}
    </>
  );
}

interface MetadataProps {
  /** The address that the preset and its values make, if they are all known. */
  readonly address: string | undefined;
  readonly onRead: (settings: MetadataSettings) => void;
}

/** Reads the metadata of a SAML provider from an address, a text or a file into the settings. */
export function Metadata({ address, onRead }: MetadataProps) {
  const words = useTranslations('signOn');
  const [typed, setTyped] = useState<string>();
  const act = useAct([], readMetadata);
  const written = typed ?? address ?? '';
  const read = (text: string) => act.mutate(text, { onSuccess: (found) => onRead(settingsOf(found, text.trim())) });
  const readFile = (file: File | null) =>
    void file?.text().then((text) => {
      setTyped(text);
      read(text);
    });
  const issues = Object.values(fieldErrors(act.error));
  return (
    <Stack className="gh-card" component="section">
      <Title order={2}>{words('metadata')}</Title>
      <Text size="sm">{words('metadataText')}</Text>
      <Textarea
        label={words('metadataField')}
        autosize
        minRows={2}
        maxRows={8}
        classNames={{ input: 'gh-mono' }}
        spellCheck={false}
        value={written}
        error={act.error && (issues[0] ?? faultOf(act.error))}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Group gap="xs">
        <Button
          variant="default"
          disabled={written.trim() === ''}
          loading={act.isPending}
          onClick={() => read(written)}
        >
          {words('readMetadata')}
        </Button>
        <FileButton accept=".xml,text/xml,application/xml,application/samlmetadata+xml" onChange={readFile}>
          {(props) => (
            <Button variant="default" {...props}>
              {words('metadataFile')}
            </Button>
          )}
        </FileButton>
      </Group>
      {act.data && <Found {...act.data} />}
    </Stack>
  );
}
