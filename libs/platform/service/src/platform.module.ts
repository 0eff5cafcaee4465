import { AccessGuard, InternalIdentityVerifier, OPERATOR_IDENTITIES, VerifyDeclarations } from '@gatehouse/auth';
import { KeyRing } from '@gatehouse/crypto';
import { RequestConnections, SealedSecrets, UnitOfWork } from '@gatehouse/database';
import { DeadLetters, EventBus, OutboxRelay } from '@gatehouse/messaging';
import { HeavyCalls, Limits, RateLimiter } from '@gatehouse/rate-limit';
import { Metrics } from '@gatehouse/telemetry';
import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule, MetadataScanner } from '@nestjs/core';
import { ClosedRequests } from './http/closed-requests.ts';
import { LOGGER } from './observability/logging.ts';
import {
  OtherServiceStateController,
  SERVICE_NAME,
  ServiceStateController,
} from './observability/service-state.controller.ts';
import { OperatorController, RepublishEvents } from './operator/operator.controller.ts';
import { PeriodicTasks } from './periodic.ts';
import type { Platform, Store } from './platform.ts';
import { ServiceConfig } from './config/service.config.ts';

/** Injection token of the product's public address. */
export const BASE_URL = Symbol('base url');

const storeProviders = ({ work, relay, connections, deadLetters, sealed }: Store): Provider[] => [
  { provide: UnitOfWork, useValue: work },
  { provide: OutboxRelay, useValue: relay },
  { provide: DeadLetters, useValue: deadLetters },
  { provide: SealedSecrets, useValue: sealed },
  RepublishEvents,
  { provide: RequestConnections, useValue: connections },
];

/** Provides the platform's parts to every module of a service, and puts the guards in front of every route. */
@Global()
@Module({})
export class PlatformModule {
  static of(platform: Platform): DynamicModule {
    const { config, store } = platform;
    const parts: Provider[] = [
      { provide: ServiceConfig, useValue: config },
      { provide: config.constructor as new () => ServiceConfig, useValue: config },
      { provide: BASE_URL, useValue: config.baseUrl },
      { provide: SERVICE_NAME, useValue: platform.name },
      { provide: LOGGER, useValue: platform.log },
      { provide: KeyRing, useValue: platform.keys },
      { provide: EventBus, useValue: platform.bus },
      { provide: RateLimiter, useValue: platform.limiter },
      { provide: Limits, useValue: platform.limits },
      { provide: HeavyCalls, useValue: new HeavyCalls(platform.limits.bound('heavyCalls'), platform.metrics) },
      { provide: Metrics, useValue: platform.metrics },
      { provide: InternalIdentityVerifier, useValue: platform.identities },
      { provide: OPERATOR_IDENTITIES, useValue: platform.operators },
      ...(store ? storeProviders(store) : []),
    ];
    // The order matters: a caller who may not use a route must not learn its members from a validation error.
    const guards: Provider[] = [
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: APP_GUARD, useClass: ClosedRequests },
    ];
    const stateController = platform.name === 'identity' ? ServiceStateController : OtherServiceStateController;
    const controllers = store ? [OperatorController, stateController] : [];
    return {
      module: PlatformModule,
      imports: [DiscoveryModule],
      controllers,
      providers: [...parts, VerifyDeclarations, MetadataScanner, PeriodicTasks, ...guards],
      exports: parts,
    };
  }
}
