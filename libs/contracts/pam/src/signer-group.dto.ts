import { Flag, Instant, Nested, NestedList, Text, TextList, Uuid } from '@gatehouse/contracts-core';
import { Transform } from 'class-transformer';

const NAME = { min: 1, max: 255 };
const DESCRIPTION = { max: 2000, nullable: true };
const SIGNERS = { min: 1, max: 255, maxItems: 500 };

/** Each signer is trimmed before it is measured. */
const Trimmed = (): PropertyDecorator =>
  Transform(({ value }) =>
    Array.isArray(value)
      ? value.map((item: unknown) => (typeof item === 'string' ? item.trim() : item))
      : (value as unknown),
  );

/** PAM spec, "Signer group body". */
export class CreateSignerGroupDto {
  @Text(NAME) name!: string;
  @Text({ ...DESCRIPTION, optional: true }) description?: string | null;
  @Trimmed() @TextList({ ...SIGNERS, optional: true }) signers?: string[];
  @Uuid({ optional: true, description: 'Needed when the caller reaches several organisations.' }) orgId?: string;
}

export class UpdateSignerGroupDto {
  @Text({ ...NAME, optional: true }) name?: string;
  @Text({ ...DESCRIPTION, optional: true }) description?: string | null;
  @Trimmed() @TextList({ ...SIGNERS, optional: true }) signers?: string[];
}

export class SignerGroupDto {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Text(NAME) name!: string;
  @Text(DESCRIPTION) description!: string | null;
  @TextList(SIGNERS) signers!: string[];
  @Instant() createdAt!: string;
  @Instant() updatedAt!: string;
}

export class SignerGroupsAnswer {
  @Flag() success!: true;
  @NestedList(() => SignerGroupDto, { maxItems: 10_000 }) signerGroups!: SignerGroupDto[];
}

export class SignerGroupAnswer {
  @Flag() success!: true;
  @Nested(() => SignerGroupDto) signerGroup!: SignerGroupDto;
  /** The same group in the form of the list (PAM spec, "Signer group body"). */
  @NestedList(() => SignerGroupDto, { maxItems: 1 }) signerGroups!: SignerGroupDto[];
}
