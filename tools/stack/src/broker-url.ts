import { BROKER_ADMIN, TRAFFIC } from '@gatehouse/messaging/broker';
import { createHmac } from 'node:crypto';

/** Derived, not stored: each program that has the administrator's login arrives at the same passwords. */
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

/** `IDENTITY__NATS_URL` and so on: what tells a product that is given a broker of ours which login is whose. */
export const brokerSettings = (adminUrl: string): Record<string, string> =>
  Object.fromEntries(
    Object.keys(TRAFFIC).map((service) => [
      `${service.toUpperCase().replaceAll('-', '_')}__NATS_URL`,
      brokerUrlOf(adminUrl, service),
    ]),
  );
