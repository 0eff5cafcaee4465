import { afterEach, describe, expect, it } from '@jest/globals';
import { findPostgres } from './postgres-binaries.ts';

describe('the binaries of PostgreSQL', () => {
  const given = process.env['GATEHOUSE_TEST_POSTGRES'];
  afterEach(() => {
    if (given === undefined) delete process.env['GATEHOUSE_TEST_POSTGRES'];
    else process.env['GATEHOUSE_TEST_POSTGRES'] = given;
  });

  it('are those that the setting names, and no others if it is wrong', async () => {
    process.env['GATEHOUSE_TEST_POSTGRES'] = '/nowhere';
    await expect(findPostgres(undefined)).rejects.toThrow('GATEHOUSE_TEST_POSTGRES: there is no initdb in /nowhere');
  });
});
