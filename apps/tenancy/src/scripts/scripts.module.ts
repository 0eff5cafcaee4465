import { Module } from '@nestjs/common';
import { ImportScripts } from './import-scripts.ts';
import { ListScripts } from './list-scripts.ts';
import { SaveScript } from './save-script.ts';
import { ScriptsController } from './scripts.controller.ts';

@Module({ controllers: [ScriptsController], providers: [ListScripts, SaveScript, ImportScripts] })
export class ScriptsModule {}
