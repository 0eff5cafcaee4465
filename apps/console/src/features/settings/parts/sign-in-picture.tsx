import { Image, Paper, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { isColor, textOn } from '../model.ts';

interface SignInPictureProps {
  readonly logoUrl: string;
  readonly accentColor: string;
  readonly headline: string;
}

/** The sign-in page as people of this partner will see it; a picture without inputs. */
export function SignInPicture({ logoUrl, accentColor, headline }: SignInPictureProps) {
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
