import { Module } from '@nestjs/common';
import { TOOL_CATALOG, toolCatalogProvider } from './tool-catalog.provider.ts';

@Module({ providers: [toolCatalogProvider], exports: [TOOL_CATALOG] })
export class ToolCatalogModule {}
