import type { ConsoleMessage, Page } from '@playwright/test';

/** The first call of every page asks whether there is a session; without one, the browser reports the 401. */
const NO_SESSION_YET = /\/api\/v1\/auth\/refresh$/;

/** The pages of the identity providers beside the product have no icon. */
const NO_ICON = /\/favicon\.ico$/;

/** Everything that went wrong in the pages of one journey: errors, policy violations, unhandled rejections. */
export class Watch {
  readonly faults: string[] = [];
  private readonly expected: RegExp[] = [];

  /** The browser reports every refused call as an error; a journey names those that it provokes. */
  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  async follow(page: Page): Promise<void> {
    page.on('pageerror', (error) => this.note(`page error: ${error.stack || error.message}`));
    page.on('console', (message) => this.noteMessage(message));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
        console.error(`policy violation: ${violatedDirective} ${blockedURI} ${sample}`),
      );
      window.addEventListener('unhandledrejection', ({ reason }) =>
        console.error(`unhandled rejection: ${String(reason)}`),
      );
    });
  }

  private noteMessage(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    if (NO_SESSION_YET.test(url) && message.text().includes('401')) return;
    if (NO_ICON.test(url)) return;
    this.note(`${message.text()} ${url}`);
  }

  private note(fault: string): void {
    if (!this.expected.some((pattern) => pattern.test(fault))) this.faults.push(fault);
  }
}
