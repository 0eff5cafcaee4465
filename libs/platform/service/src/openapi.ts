import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** OpenAPI 3.1 says "or null" in the type; the generator still says it in the manner of 3.0. */
function modernise(_: string, node: Json): Json {
  if (typeof node !== 'object' || node === null || Array.isArray(node) || node['nullable'] !== true) return node;
  const { nullable: _nullable, ...schema } = node;
  if (typeof schema['type'] !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema['type'], 'null'], ...(Array.isArray(schema['enum']) && { enum: [...schema['enum'], null] }) };
}

const isInternal = (path: string): boolean => path.includes('/internal/');

/** The public contract of one service, generated from its code; the gateway joins those of all services. */
export function describeService(app: INestApplication, name: string): OpenAPIObject {
  const options = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(`Gatehouse ${name}`)
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Access token, or API key (also as X-API-Key)' }, 'user')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Agent token' }, 'agent')
    .build();
  const document = SwaggerModule.createDocument(app, options, { operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}.${method}` });
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !isInternal(path)));
  return JSON.parse(JSON.stringify({ ...document, paths }), modernise) as OpenAPIObject;
}
