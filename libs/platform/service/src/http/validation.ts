import { asPlain, invalid, type Issue, ProblemError } from '@gatehouse/contracts-core';
import { type ArgumentMetadata, Injectable, ParseUUIDPipe, ValidationPipe, type ValidationError } from '@nestjs/common';

const issuesOf = (errors: ValidationError[], prefix = ''): Issue[] =>
  errors.flatMap(({ property, constraints, children }) => {
    const path = prefix ? `${prefix}.${property}` : property;
    const own = Object.values(constraints ?? {})
      .slice(0, 1)
      .map((message) => ({ path, message }));
    return [...own, ...issuesOf(children ?? [], path)];
  });

const validationFailed = (errors: ValidationError[]): ProblemError =>
  new ProblemError('validation_failed', 'The request is not valid.', { issues: issuesOf(errors) });

/**
 * Converts bodies and queries to instances of their DTO, without the unknown members that a route may ignore; values
 * are never converted implicitly.
 */
@Injectable()
export class StrictValidation extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      stopAtFirstError: true,
      forbidUnknownValues: false,
      exceptionFactory: validationFailed,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' || metadata.metatype === undefined || metadata.metatype === Object)
      return super.transform(value, metadata);
    if (value === undefined) return super.transform({}, metadata);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid('', 'the body must be a JSON object');
    return asPlain(metadata.metatype as new () => object, value) ?? super.transform(value, metadata);
  }
}

/**
 * `@Param('id', UuidParam) id: string`: answers 400 unless it is a UUID; converts to lower case, as for ids in bodies.
 */
@Injectable()
export class UuidParam extends ParseUUIDPipe {
  override async transform(value: string, { data = 'id' }: ArgumentMetadata): Promise<string> {
    if (!this.isUUID(value)) throw invalid(data, 'must be a UUID');
    return value.toLowerCase();
  }
}
