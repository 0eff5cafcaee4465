import { Module } from '@nestjs/common';
import { ListTools } from './list-tools.ts';
import { TOOL_CATALOG, toolCatalogProvider } from './tool-catalog.provider.ts';
import { ToolsController } from './tools.controller.ts';

@Module({ controllers: [ToolsController], providers: [toolCatalogProvider, ListTools], exports: [TOOL_CATALOG] })
export class ToolCatalogModule {}
