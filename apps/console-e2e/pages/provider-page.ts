import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';

/** Signs in at the identity provider beside the product: as a person whom it knows and the product does not. */
export async function signInAtProvider(page: Page): Promise<string> {
  const email = `ada+${randomUUID().slice(0, 8)}@acme.example`;
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password (any will do)').fill('any');
  await page.getByRole('button', { name: 'Sign in' }).click();
  return email;
}
