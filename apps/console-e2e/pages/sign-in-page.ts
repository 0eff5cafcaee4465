import type { Page } from '@playwright/test';
import type { Person } from '../person.ts';

/** The gateway's own page at `/login`. */
export class SignInPage {
  constructor(private readonly page: Page) {}

  async signIn(person: Person): Promise<void> {
    await this.givePassword(person);
    await this.page
      .getByLabel('Code from your authenticator app')
      .first()
      .fill(await person.nextCode());
    await this.page.keyboard.press('Enter');
  }

  async givePassword({ email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
    // The script of the page has run once it is loaded; before, the Enter key does nothing.
    await this.page.waitForURL(/\/login/);
    await this.page.getByLabel('E-mail address').fill(email);
    await this.page.keyboard.press('Enter');
    await this.page.getByLabel('Password', { exact: true }).first().fill(password);
    await this.page.keyboard.press('Enter');
  }
}
