import type { CDPSession, Page } from '@playwright/test';

/** A passkey device that Chromium plays, which always confirms its user. */
export class Authenticator {
  private constructor(
    private readonly browser: CDPSession,
    private readonly id: string,
  ) {}

  static async in(page: Page): Promise<Authenticator> {
    const browser = await page.context().newCDPSession(page);
    await browser.send('WebAuthn.enable');
    const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new Authenticator(browser, authenticatorId);
  }

  /** Takes over the passkeys of another device, as passkeys that are kept with an account do. */
  async takeFrom(other: Authenticator): Promise<void> {
    const { credentials } = await other.browser.send('WebAuthn.getCredentials', { authenticatorId: other.id });
    for (const credential of credentials)
      await this.browser.send('WebAuthn.addCredential', { authenticatorId: this.id, credential });
  }
}
