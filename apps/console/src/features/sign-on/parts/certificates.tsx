import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { useServerNow } from '../../../ui/text/time.tsx';
import { certificateState, daysUntil, MAX_CERTIFICATES, withCertificate, withoutCertificate } from '../certificates.ts';
import { faultAt } from '../draft.ts';
import type { Provider } from '../model.ts';
import { CHANGES, updateProvider } from '../queries.ts';

const PATCH = 'PATCH /sso/providers/{id}';
const HOUR_MS = 3_600_000;
const SHOWN_OF_FINGERPRINT = 16;
const SUBJECT_LENGTH = 60;
const COLORS = { expired: 'red', soon: 'orange', valid: 'green' } as const;
type Certificate = Provider['certificates'][number];

/** For how long a certificate is good. */
export function DaysLeft({ notAfter }: Pick<Certificate, 'notAfter'>) {
  const words = useTranslations('signOn');
  const days = daysUntil(notAfter, useServerNow(HOUR_MS));
  const state = certificateState(days);
  return (
    <Badge color={COLORS[state]}>{words(state === 'expired' ? 'certificateExpired' : 'daysLeft', { days })}</Badge>
  );
}

/** What a certificate is, and for how long it is good. */
export function CertificateFacts({ certificate }: { readonly certificate: Certificate }) {
  const words = useTranslations('signOn');
  const { subject, notAfter, sha256 } = certificate;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <SafeText value={subject} most={SUBJECT_LENGTH} fw={600} />
        <DaysLeft notAfter={notAfter} />
      </Group>
      <Text className="gh-hint">{words('certificateUntil', { at: new Date(notAfter) })}</Text>
      <CopyText label={words('fingerprint')} text={sha256} shown={`${sha256.slice(0, SHOWN_OF_FINGERPRINT)}…`} />
    </Stack>
  );
}

interface OneProps {
  readonly provider: Provider;
  readonly index: number;
  readonly certificate: Certificate;
}

function One({ provider, index, certificate }: OneProps) {
  const words = useTranslations('signOn');
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <CertificateFacts certificate={certificate} />
      {provider.certificates.length > 1 && (
        <ConfirmButton
          label={words('removeCertificate')}
          title={words('removeCertificateTitle', { name: provider.name })}
          size="xs"
          needs={PATCH}
          color="red"
          changes={CHANGES}
          act={() => updateProvider(provider, { certificate: withoutCertificate(provider.certificate, index) })}
        >
          {words('removeCertificateText', { subject: certificate.subject })}
        </ConfirmButton>
      )}
    </Group>
  );
}

/** The certificates with which the provider signs: the new one is added before the old one goes. */
export function Certificates({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const { certificates, certificate } = provider;
  const isFull = certificates.length >= MAX_CERTIFICATES;
  return (
    <Stack className="gh-card" component="section">
      <Group justify="space-between">
        <Title order={2}>{words('certificates')}</Title>
        {!isFull && (
          <FormButton
            label={words('addCertificate')}
            title={words('addCertificateTitle', { name: provider.name })}
            text={words('addCertificateText')}
            size="xs"
            variant="default"
            needs={PATCH}
            action="add"
            fields={[
              {
                name: 'certificate',
                label: words('certificate'),
                kind: 'area',
                ...inputLimits(PATCH, 'certificate'),
                required: true,
              },
            ]}
            changes={CHANGES}
            faultAt={faultAt}
            act={({ certificate: added }) =>
              updateProvider(provider, { certificate: withCertificate(certificate, String(added)) })
            }
          />
        )}
      </Group>
      <Text className="gh-hint">{words(isFull ? 'certificatesFull' : 'certificatesText')}</Text>
      {certificates.map((one, index) => (
        <One key={one.sha256} provider={provider} index={index} certificate={one} />
      ))}
    </Stack>
  );
}
