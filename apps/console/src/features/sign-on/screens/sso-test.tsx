import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../../ui/page.tsx';
import { TestResult } from '../parts/test-sign-in.tsx';
import '../words.ts';

const route = getRouteApi('/sso-test');

/** Where the window of a test sign-in ends. */
export function SsoTest() {
  const words = useTranslations('signOn.testSignIn');
  const { attempt } = route.useSearch();
  return (
    <Page title={words('title')}>
      <Text size="sm">{words('ended')}</Text>
      {attempt && <TestResult id={attempt} />}
    </Page>
  );
}
