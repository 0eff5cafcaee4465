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

  test('does not seem to end when the server could not end it', async ({ world, openAs, watch }) => {
    watch.expect(/status of 500|ERR_FAILED/);
    const tenant = await world.makeTenant();
    const page = await openAs(await world.makePerson('Partner Technician', tenant), '/active');
    const leave = async () => {
      await page.getByRole('button', { name: /^Account menu/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    };
    const contentType = 'application/problem+json';
    const body = JSON.stringify({ status: 500, code: 'internal_error', requestId: 'f00d' });
    await page.route('**/auth/logout', (call) => call.fulfill({ status: 500, contentType, body }));
    await leave();
    await expect(page.getByRole('alert')).toContainText('Request ID: f00d');
    await page.getByRole('alert').getByRole('button').click();
    await page.unroute('**/auth/logout');
    await page.route('**/auth/logout', (call) => call.abort());
    await leave();
    await expect(page.getByRole('alert')).toContainText('cannot be reached');
    await page.unroute('**/auth/logout');
    await leave();
    await page.waitForURL(/\/login\?error=session_ended/);
  });
});
