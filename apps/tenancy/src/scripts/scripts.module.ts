import { Module } from '@nestjs/common';
import { CreateScript } from './create-script.ts';
import { DeleteScript } from './delete-script.ts';
import { GetScript } from './get-script.ts';
import { ImportScripts } from './import/import-scripts.ts';
import { ScriptImportsController } from './import/script-imports.controller.ts';
import { ListScripts } from './list-scripts.ts';
import { ScriptsController } from './scripts.controller.ts';
import { ScriptsRepository } from './scripts.repository.ts';
import { UpdateScript } from './update-script.ts';

@Module({
  controllers: [ScriptsController, ScriptImportsController],
  providers: [ScriptsRepository, ListScripts, GetScript, CreateScript, UpdateScript, DeleteScript, ImportScripts],
})
export class ScriptsModule {}
