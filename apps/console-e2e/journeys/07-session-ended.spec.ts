import { expect, test } from '../journey.ts';
import { SignInPage } from '../pages/sign-in-page.ts';

test.describe('journey 7: a session that ends while a page is open', () => {
  test('ends in every tab, and signing in leads back to it', async ({ world, openAs, watch }) => {
    watch.expect(/401|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_ABORTED/);
    const tenant = await world.makeTenant();
    const person = await world.makePerson('Partner Technician', tenant);
    const page = await openAs(person, '/requests?status=denied');
    await expect(page.getByText('live', { exact: true })).toBeVisible();
    const other = await page.context().newPage();
    await other.goto('/active');
    await expect(other.getByText('live', { exact: true })).toBeVisible();

    const own = await person.signIn(world.baseUrl);
    await own.must('POST', '/auth/logout-all', {});
    await page.waitForURL(/\/login\?error=session_ended/);
    await other.waitForURL(/\/login\?error=session_ended/);
    await expect(page.getByRole('alert')).toBeVisible();
    await new SignInPage(page).signIn(person);
    await page.waitForURL(/\/requests\?status=denied/);
  });
});
