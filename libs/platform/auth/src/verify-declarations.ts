import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ACCESS } from './access-guard.ts';

/** Stops the service at start-up when a handler does not declare its access. */
@Injectable()
export class VerifyDeclarations implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const silent = this.discovery
      .getControllers()
      .flatMap(({ metatype, instance }) =>
        metatype ? this.undeclared(metatype as new () => object, Object.getPrototypeOf(instance) as object) : [],
      );
    if (silent.length > 0)
      throw new Error(
        `these handlers declare no access (@Public, @Requires, @AgentRoute, @SetupRoute, @OperatorRoute or @Internal): ${silent.join(', ')}`,
      );
  }

  private undeclared(controller: new () => object, prototype: object): string[] {
    if (Reflect.hasMetadata(ACCESS, controller)) return [];
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => {
        const handler = Reflect.get(prototype, name) as object;
        return Reflect.hasMetadata(PATH_METADATA, handler) && !Reflect.hasMetadata(ACCESS, handler);
      })
      .map((name) => `${controller.name}.${name}`);
  }
}
