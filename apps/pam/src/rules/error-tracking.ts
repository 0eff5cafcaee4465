import { newId } from '@gatehouse/crypto';
import { type Logger, LOGGER } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { PamConfig } from '../pam.config.ts';

const TIMEOUT_MS = 3_000;

interface Destination {
  readonly url: string;
  readonly key: string;
}

/**
 * Parses a DSN, `https://<key>@<host>/<project>`, into the URL that accepts events and the key that authorises them.
 */
function parseDsn(dsn: string): Destination {
  const { protocol, username, host, pathname } = new URL(dsn);
  const at = pathname.lastIndexOf('/');
  return { url: `${protocol}//${host}${pathname.slice(0, at)}/api${pathname.slice(at)}/store/`, key: username };
}

/**
 * Reports errors that need an operator: always to the log, and to the Sentry-compatible service if one is configured.
 */
@Injectable()
export class ErrorTracking {
  private readonly destination: Destination | null;

  constructor(
    { errorTrackingUrl }: PamConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.destination = errorTrackingUrl ? parseDsn(errorTrackingUrl) : null;
  }

  /** Never throws: a failure to report must not cause another error. */
  async report(tag: string, message: string, extra: object): Promise<void> {
    this.log.error({ tag, ...extra }, message);
    if (!this.destination) return;
    await this.send(this.destination, { tags: { code: tag }, message, extra }).catch((error: unknown) =>
      this.log.warn({ err: error, tag }, 'an error event could not be delivered'),
    );
  }

  private async send({ url, key }: Destination, event: object): Promise<void> {
    const body = JSON.stringify({
      event_id: newId().replaceAll('-', ''),
      timestamp: new Date().toISOString(),
      platform: 'node',
      level: 'error',
      logger: 'pam',
      ...event,
    });
    const headers = {
      'content-type': 'application/json',
      'x-sentry-auth': `Sentry sentry_version=7, sentry_client=gatehouse/1.0, sentry_key=${key}`,
    };
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!ok) throw new Error(`the error tracking service answered ${status}`);
  }
}
