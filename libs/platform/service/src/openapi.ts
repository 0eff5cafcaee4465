import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** The contract of one service, generated from its code; the gateway joins those of all services. */
export function describeService(app: INestApplication, name: string): OpenAPIObject {
  const options = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(`Gatehouse ${name}`)
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Access token, or API key (also as X-API-Key)' }, 'user')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Agent token' }, 'agent')
    .build();
  return SwaggerModule.createDocument(app, options, { operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}.${method}` });
}
