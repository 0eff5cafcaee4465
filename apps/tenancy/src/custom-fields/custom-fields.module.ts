import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.ts';
import { CreateCustomField } from './create-custom-field.ts';
import { CustomFieldsController } from './custom-fields.controller.ts';
import { CustomFieldsRepository } from './custom-fields.repository.ts';
import { DeleteCustomField } from './delete-custom-field.ts';
import { FieldImportRepository } from './field-import/field-import.repository.ts';
import { FieldImportsController } from './field-import/field-imports.controller.ts';
import { ImportFields } from './field-import/import-fields.ts';
import { PreviewFieldImport } from './field-import/preview-field-import.ts';
import { GetCustomField } from './get-custom-field.ts';
import { ListCustomFields } from './list-custom-fields.ts';
import { UpdateCustomField } from './update-custom-field.ts';
import { ImportValues } from './value-import/import-values.ts';
import { ValuePlanner } from './value-import/value-planner.ts';
import { PreviewValueImport } from './value-import/preview-value-import.ts';
import { ValueImportRepository } from './value-import/value-import.repository.ts';
import { ValueImportsController } from './value-import/value-imports.controller.ts';
import { FieldValuesController } from './values/field-values.controller.ts';
import { FieldValuesRepository } from './values/field-values.repository.ts';
import { ListFieldValues } from './values/list-field-values.ts';
import { UpdateFieldValues } from './values/update-field-values.ts';

const definitions = [
  CustomFieldsRepository,
  ListCustomFields,
  GetCustomField,
  CreateCustomField,
  UpdateCustomField,
  DeleteCustomField,
];
const values = [FieldValuesRepository, ListFieldValues, UpdateFieldValues];
const imports = [
  FieldImportRepository,
  PreviewFieldImport,
  ImportFields,
  ValueImportRepository,
  ValuePlanner,
  PreviewValueImport,
  ImportValues,
];

@Module({
  imports: [DevicesModule],
  controllers: [CustomFieldsController, FieldImportsController, ValueImportsController, FieldValuesController],
  providers: [...definitions, ...values, ...imports],
})
export class CustomFieldsModule {}
