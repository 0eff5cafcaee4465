import { CurrentCaller, OperatorRoute } from '@gatehouse/auth';
import type { ServiceCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { foldEmail } from '@gatehouse/identity-domain';
import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DomainsRepository, type StoredAddress } from './domains.repository.ts';

/** Accounts whose addresses have one form (IDY-150) although they are stored in several spellings. */
interface AddressSpellings {
  readonly address: string;
  readonly accounts: readonly StoredAddress[];
}

/**
 * Addresses that were stored before their domains had one form. Nothing merges such accounts: an operator decides which
 * of them remains.
 */
@ApiExcludeController()
@Controller('internal/address-spellings')
export class AddressSpellingsController {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domainsRepository: DomainsRepository,
  ) {}

  @Get()
  @OperatorRoute()
  async list(@CurrentCaller() caller: ServiceCaller): Promise<{ data: AddressSpellings[] }> {
    const stored = await this.work.read(caller, (reader) => this.domainsRepository.internationalAddresses(reader));
    const byAddress = new Map<string, StoredAddress[]>();
    for (const account of stored) {
      const address = foldEmail(account.email);
      byAddress.set(address, [...(byAddress.get(address) ?? []), account]);
    }
    const groups = [...byAddress].map(([address, accounts]) => ({ address, accounts }));
    return { data: groups.filter(({ address, accounts }) => accounts.some(({ email }) => email !== address)) };
  }
}
