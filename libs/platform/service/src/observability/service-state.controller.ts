import { Requires } from '@gatehouse/auth';
import {
  Choice,
  Flag,
  Instant,
  NestedList,
  ProblemError,
  Text,
  UPSTREAM_NAMES,
  Whole,
} from '@gatehouse/contracts-core';
import { Metrics } from '@gatehouse/telemetry';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { ServiceConfig } from '../config/service.config.ts';
import { ApiProblems } from '../contract/openapi.ts';
import { PARTS, type Part } from '../service-metrics.ts';

const MAX = Number.MAX_SAFE_INTEGER;

/** Injection token of the service's name. */
export const SERVICE_NAME = Symbol('service name');

class PartState {
  @Choice(PARTS, { description: 'The database, the message broker or the cache' }) part!: Part;
  @Flag({ description: 'Whether this replica reaches it' }) isUp!: boolean;
}

class StreamBacklog {
  @Text({ max: 64, description: 'The stream of the broker' }) stream!: string;
  @Whole({ min: 0, max: MAX, description: 'Events that the service has yet to receive' }) pending!: number;
  @Whole({ min: 0, max: MAX, description: 'Events that it has received and not settled' }) unacknowledged!: number;
}

class ServiceState {
  @Choice(UPSTREAM_NAMES, { description: 'The name of the service' }) service!: string;
  @Text({ max: 64, description: 'The version of its image; `development` without one' }) version!: string;
  @Instant({ description: 'When this replica started' }) startedAt!: Date;
  @NestedList(() => PartState, { maxItems: PARTS.length, description: 'What the service needs' }) parts!: PartState[];
  @Whole({ min: 0, max: MAX, nullable: true, description: 'Messages that wait to be published' })
  outboxDepth!: number | null;
  @Whole({ min: 0, max: MAX, nullable: true, description: 'Age of the oldest of them in seconds' })
  outboxAgeSeconds!: number | null;
  @Whole({ min: 0, max: MAX, nullable: true, description: 'Events that were given up and not replayed' })
  deadLetters!: number | null;
  @NestedList(() => StreamBacklog, { maxItems: 32, description: 'What it consumes' }) streams!: StreamBacklog[];
}

/** The gateway sends each name to the service that bears it. */
@Controller('services')
@ApiTags('services')
export class ServiceStateController {
  private readonly startedAt = new Date();

  constructor(
    private readonly metrics: Metrics,
    private readonly config: ServiceConfig,
    @Inject(SERVICE_NAME) private readonly name: string,
  ) {}

  /** Reads what one replica of the service measures of itself. Null stands for what cannot be measured now. */
  @Get(':service')
  @Requires('organizations:read', { levels: ['system'] })
  @ApiParam({ name: 'service', enum: UPSTREAM_NAMES })
  @ApiOkResponse({ type: ServiceState })
  @ApiProblems('route_not_found')
  async get(@Param('service') service: string): Promise<ServiceState> {
    if (service !== this.name) throw new ProblemError('route_not_found', 'There is no such service.');
    const [up = [], depth = [], age = [], letters = [], pending = [], unacknowledged = []] = await this.metrics.read(
      'gatehouse_part_up',
      'gatehouse_outbox_depth',
      'gatehouse_outbox_age_seconds',
      'gatehouse_dead_letters',
      'gatehouse_consumer_pending',
      'gatehouse_consumer_unacknowledged',
    );
    const whole = (readings: typeof up): number | null => (readings[0] ? Math.round(readings[0].value) : null);
    return {
      service,
      version: this.config.serviceVersion,
      startedAt: this.startedAt,
      parts: up.map(({ value, labels }) => ({ part: labels['part'] as Part, isUp: value === 1 })),
      outboxDepth: whole(depth),
      outboxAgeSeconds: whole(age),
      deadLetters: whole(letters),
      streams: pending.map(({ value, labels: { stream = '' } }) => ({
        stream,
        pending: value,
        unacknowledged: unacknowledged.find(({ labels }) => labels['stream'] === stream)?.value ?? 0,
      })),
    };
  }
}

/** The same route in the other services: the contract of identity describes it for all of them. */
@Controller('services')
@ApiExcludeController()
export class OtherServiceStateController extends ServiceStateController {}
