import { BROKER_ADMIN, TRAFFIC } from '@gatehouse/messaging/broker';
import { createHmac } from 'node:crypto';

/**
 * The passwords are derived, not stored, so that each program with the administrator's login computes the same ones.
 */
export const brokerPassword = (adminPassword: string, service: string): string =>
  service === BROKER_ADMIN
    ? adminPassword
    : createHmac('sha256', adminPassword).update(`gatehouse broker user ${service}`).digest('base64url');

/**
 * The address under which one service logs in at a broker of ours. @param adminUrl the broker's address with the login
 * of its administrator
 */
export function brokerUrlOf(adminUrl: string, service: string): string {
  const url = new URL(adminUrl);
  url.password = brokerPassword(decodeURIComponent(url.password), service);
  url.username = service;
  return url.href;
}

/** The settings `IDENTITY__NATS_URL` and so on, which give each service its own login at a broker of ours. */
export const brokerSettings = (adminUrl: string): Record<string, string> =>
  Object.fromEntries(
    Object.keys(TRAFFIC).map((service) => [
      `${service.toUpperCase().replaceAll('-', '_')}__NATS_URL`,
      brokerUrlOf(adminUrl, service),
    ]),
  );
