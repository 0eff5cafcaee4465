import { Alert, Button, ColorInput, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { isColor, unreadableIn } from '../model.ts';
import { SettingsLinks } from '../parts/settings-links.tsx';
import { SignInPicture } from '../parts/sign-in-picture.tsx';
import { type Branding, brandingQuery, updateBranding } from '../queries.ts';
import '../words.ts';

interface BrandingValues {
  readonly logoUrl: string;
  readonly accentColor: string;
  readonly headline: string;
}

function ContrastWarning({ color }: { readonly color: string }) {
  const words = useTranslations('settings');
  const schemes = isColor(color) ? unreadableIn(color) : [];
  return schemes.length > 0 ? (
    <Alert color="yellow">{words('contrast', { where: schemes.length > 1 ? 'both' : schemes.join() })}</Alert>
  ) : null;
}

type Form = UseFormReturnType<BrandingValues>;

function Inputs({ form, readOnly }: { readonly form: Form; readonly readOnly: boolean }) {
  const words = useTranslations('settings');
  return (
    <>
      <TextInput label={words('headline')} maxLength={120} readOnly={readOnly} {...form.getInputProps('headline')} />
      <ColorInput
        label={words('accentColor')}
        format="hex"
        withEyeDropper={false}
        readOnly={readOnly}
        {...form.getInputProps('accentColor')}
      />
      <ContrastWarning color={form.values.accentColor} />
      <TextInput
        label={words('logoUrl')}
        description={words('logoText')}
        readOnly={readOnly}
        {...form.getInputProps('logoUrl')}
      />
    </>
  );
}

const initialValues = (branding: Branding | null): BrandingValues => ({
  logoUrl: branding?.logoUrl ?? '',
  accentColor: branding?.accentColor ?? '',
  headline: branding?.headline ?? '',
});

const orNull = ({ logoUrl, accentColor, headline }: BrandingValues) => ({
  logoUrl: logoUrl || null,
  accentColor: accentColor || null,
  headline: headline || null,
});

function BrandingForm({ branding }: { readonly branding: Branding | null }) {
  const words = useTranslations('settings');
  const isChangeable = useCan()('PUT /partners/me/login-branding');
  const act = useAct(['settings'], (values: BrandingValues) => updateBranding(branding, orNull(values)));
  const form = useForm<BrandingValues>({ initialValues: initialValues(branding) });
  const submit = (values: BrandingValues) =>
    act.mutate(values, {
      onSuccess: () => notifyDone(words('saved')),
      onError: (error) => form.setErrors(fieldErrors(error)),
    });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack className="gh-card">
          <Inputs form={form} readOnly={!isChangeable} />
          <Refusal error={act.error} />
          {isChangeable && (
            <Group justify="flex-end">
              <Button type="submit" loading={act.isPending}>
                {words('save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <SignInPicture {...form.values} />
    </SimpleGrid>
  );
}

/** Logo, colour and headline of the sign-in page, beside a picture of it. */
export function BrandingPage() {
  const words = useTranslations('settings');
  return (
    <Page title={words('branding')}>
      <SettingsLinks />
      <QueryView query={useQuery(brandingQuery)}>
        {(branding) => <BrandingForm key={branding?.version ?? 0} branding={branding} />}
      </QueryView>
    </Page>
  );
}
