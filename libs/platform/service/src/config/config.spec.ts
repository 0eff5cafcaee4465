import { describe, expect, it } from '@jest/globals';
import { IsBoolean, IsInt, IsString } from 'class-validator';
import { loadConfig } from './config.ts';
import { checkConfig, ServiceConfig } from './service.config.ts';

describe('loadConfig', () => {
  it('reads each property from its upper-case name and converts by type', () => {
    expect(loadConfig(Sample, { NATS_URL: 'nats://x', POOL_SIZE: '7', VERBOSE: 'true' })).toEqual({
      natsUrl: 'nats://x',
      poolSize: 7,
      verbose: true,
    });
  });

  it('names every missing and malformed setting in one line', () => {
    expect(() => loadConfig(Sample, { POOL_SIZE: 'many', VERBOSE: 'yes' })).toThrow(
      'NATS_URL is missing; POOL_SIZE must be a whole number; VERBOSE must be true or false',
    );
  });
});

describe('checkConfig', () => {
  it('refuses development allowances for egress in production, and takes them elsewhere', () => {
    expect(() => checkConfig(config({ nodeEnv: 'production', egressAllowHosts: 'localhost:9000' }))).toThrow(
      'EGRESS_ALLOW_HOSTS',
    );
    expect(() => checkConfig(config({ nodeEnv: 'production', egressAllowHttp: true }))).toThrow('EGRESS_ALLOW_HTTP');
    expect(() =>
      checkConfig(config({ nodeEnv: 'development', egressAllowHosts: 'localhost:9000', egressAllowHttp: true })),
    ).not.toThrow();
  });

  it('takes the base address from PUBLIC_URL, PUBLIC_APP_URL or DASHBOARD_URL, else port 3000 of this machine', () => {
    expect(config({ publicUrl: 'https://a.example/', dashboardUrl: 'https://b.example' }).baseUrl).toBe(
      'https://a.example',
    );
    expect(config({ dashboardUrl: 'https://b.example' }).baseUrl).toBe('https://b.example');
    expect(config({}).baseUrl).toBe('http://localhost:3000');
  });

  it('needs an encryption key', () => {
    expect(() => config({}).encryptionKeys).toThrow('SECRET_ENCRYPTION_KEY is missing');
    expect(config({ appEncryptionKey: 'k' }).encryptionKeys).toBe('k');
  });

  it.each([
    [{ appEncryptionKey: 'k' }, 'APP_ENCRYPTION_KEY'],
    [{ appEncryptionKey: 'k', secretEncryptionKey: 'k' }, 'SECRET_ENCRYPTION_KEY'],
    [{ secretEncryptionKey: 'k', secretEncryptionKeys: 'k2:k,k1:k' }, 'SECRET_ENCRYPTION_KEYS'],
    [{}, 'SECRET_ENCRYPTION_KEY'],
  ])('knows by which name the encryption key of %j was given', (settings, name) => {
    expect(config(settings).encryptionKeySetting).toBe(name);
  });

  const config = (settings: Partial<ServiceConfig>): ServiceConfig => Object.assign(new ServiceConfig(), settings);
});

describe('the settings of a service', () => {
  it('name one broker, or several servers of a cluster', () => {
    const NATS_URL = 'nats://pam:p@nats-0:4222,nats://pam:p@nats-1:4222';
    const others = { REDIS_URL: 'redis://cache', INTERNAL_IDENTITY_JWKS: '{"keys":[]}' };
    expect(loadConfig(ServiceConfig, { ...others, NATS_URL }).natsUrl).toBe(NATS_URL);
  });
});

class Sample {
  @IsString({ message: 'must be a text' }) natsUrl!: string;
  @IsInt({ message: 'must be a whole number' }) poolSize: number = 5;
  @IsBoolean({ message: 'must be true or false' }) verbose: boolean = false;
}
