import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { IdentityConfig } from '../identity.config.ts';
import { textPart } from './mail-parts.ts';
import type { Mail } from './mailer.ts';

const SMTP_TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends mail by SMTP, or writes it to a directory as .eml files. */
@Injectable()
export class MailTransport {
  private readonly smtp;
  private readonly writer = nodemailer.createTransport({ streamTransport: true, buffer: true });

  constructor(private readonly config: IdentityConfig) {
    this.smtp = config.smtpUrl ? nodemailer.createTransport({ url: config.smtpUrl, ...SMTP_TIMEOUTS_MS }) : null;
  }

  get isConfigured(): boolean {
    return Boolean(this.config.smtpUrl ?? this.config.mailDir);
  }

  /** @throws when the mail was not accepted */
  async send(id: string, { to, subject, text, html }: Mail): Promise<void> {
    const parts = html === undefined ? { text } : { text: textPart('plain', text), html: textPart('html', html) };
    const message = { from: this.config.mailFrom, messageId: `<${id}@gatehouse>`, to, subject, ...parts };
    if (this.smtp) await this.smtp.sendMail(message);
    else if (this.config.mailDir)
      await this.write(this.config.mailDir, id, (await this.writer.sendMail(message)).message as Buffer);
  }

  close(): void {
    this.smtp?.close();
  }

  /** Renames the file to its final name only when it is complete, so that no reader sees half a mail. */
  private async write(directory: string, id: string, content: Buffer): Promise<void> {
    await mkdir(directory, { recursive: true });
    const partial = join(directory, `.${id}.${randomUUID()}.partial`);
    await writeFile(partial, content, { mode: 0o600, flag: 'wx' });
    await rename(partial, join(directory, `${id}.eml`));
  }
}
