import { Module } from '@nestjs/common';
import { CustomFieldsController } from './custom-fields.controller.ts';
import { DeviceFieldValues } from './values/device-field-values.ts';
import { FieldValuesController } from './values/field-values.controller.ts';
import { ImportFields } from './import/import-fields.ts';
import { ImportValues } from './import/import-values.ts';
import { ListCustomFields } from './list-custom-fields.ts';
import { SaveCustomField } from './save-custom-field.ts';

@Module({
  controllers: [CustomFieldsController, FieldValuesController],
  providers: [ListCustomFields, SaveCustomField, ImportFields, DeviceFieldValues, ImportValues],
})
export class CustomFieldsModule {}
