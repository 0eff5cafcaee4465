import { Alert, Button, ColorInput, Group, Image, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { codeOf, fieldErrors } from '../../../api/problem.ts';
import type { Choice } from '../../../ui/conflicts/version-conflict.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { brandingQuery, isColor, textOn, unreadableIn } from '../../../shell/theme.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import type { BrandingValues } from '../model.ts';
import { SettingsTabs } from '../../../ui/area-tabs.tsx';
import { type Branding, updateBranding } from '../queries.ts';

interface SignInPictureProps {
  readonly logoUrl: string;
  readonly accentColor: string;
  readonly headline: string;
}

/** The sign-in page as people of this partner will see it; a picture without inputs. */
function SignInPicture({ logoUrl, accentColor, headline }: SignInPictureProps) {
  const words = useTranslations('settings');
  const colors = isColor(accentColor) ? { bg: accentColor, c: textOn(accentColor) } : {};
  return (
    <Paper withBorder p="lg" radius="md" maw={360} role="img" aria-label={words('picture')}>
      <Stack gap="sm" aria-hidden>
        {logoUrl.startsWith('https://') && <Image src={logoUrl} alt="" h={40} w="auto" fit="contain" />}
        <Text fz="xl" fw={650}>
          {headline || words('defaultHeadline')}
        </Text>
        <Text className="gh-picture-input">{words('pictureAddress')}</Text>
        <Text className="gh-picture-button" {...colors}>
          {words('pictureButton')}
        </Text>
      </Stack>
    </Paper>
  );
}

/** Loaded with the first conflict. */
const BrandingConflict = lazyPart(async () => ({
  default: (await import('../parts/branding-conflict.tsx')).BrandingConflict,
}));

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

/** Begins with the branding as it was read first: a later version does not take away what was typed. */
function useBranding(stored: Branding | null) {
  const words = useTranslations('settings');
  const [base, setBase] = useState(stored);
  const form = useForm<BrandingValues>({ initialValues: initialValues(stored) });
  const act = useAct(['settings'], ({ over, values }: { over: Branding | null; values: BrandingValues }) =>
    updateBranding(over, orNull(values)),
  );
  const save = (over: Branding | null, values: BrandingValues) =>
    act.mutate(
      { over, values },
      {
        onSuccess: ({ data: saved }) => {
          setBase(saved);
          form.setValues(initialValues(saved));
          notifyDone(words('saved'));
        },
        onError: (error) => form.setErrors(fieldErrors(error)),
      },
    );
  const settle = (choice: Choice, latest: Branding | null, merged: BrandingValues) => {
    act.reset();
    setBase(latest);
    form.setValues(choice === 'theirs' ? initialValues(latest) : merged);
    if (choice === 'mine') save(latest, merged);
  };
  return { base, form, act, save, settle };
}

function BrandingForm({ branding }: { readonly branding: Branding | null }) {
  const words = useTranslations('settings');
  const isChangeable = useMe().partnerWidePolicyRights;
  const { base, form, act, save, settle } = useBranding(branding);
  const isConflict = act.error !== null && codeOf(act.error) === 'version_conflict';
  return (
    <SimpleGrid type="container" cols={{ base: 1, '46rem': 2 }} spacing="xl">
      <form onSubmit={form.onSubmit((values) => save(base, values))}>
        <Stack className="gh-card">
          <Inputs form={form} readOnly={!isChangeable} />
          <Refusal error={isConflict ? null : act.error} />
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
      {isConflict && (
        <Suspense fallback={null}>
          <BrandingConflict
            error={act.error}
            base={initialValues(base)}
            own={form.values}
            valuesOf={initialValues}
            onChoose={settle}
            onClose={act.reset}
          />
        </Suspense>
      )}
    </SimpleGrid>
  );
}

/** Logo, colour and headline of the sign-in page, beside a picture of it. */
export function BrandingPage() {
  const words = useTranslations('settings');
  return (
    <Page title={words('branding')}>
      <SettingsTabs />
      <QueryView query={useQuery(brandingQuery)}>{(branding) => <BrandingForm branding={branding} />}</QueryView>
    </Page>
  );
}
