import { CurrentCaller, Public } from '@gatehouse/auth';
import type { Caller } from '@gatehouse/contracts-core';
import { LoginResponse, LoginDto } from '@gatehouse/contracts-identity';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SignInWithPassword } from './sign-in-with-password.ts';

@ApiTags('sign-in')
@Controller('auth')
export class PasswordLoginController {
  constructor(private readonly signIn: SignInWithPassword) {}

  @Post('login')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: LoginResponse })
  @ApiProblems('invalid_credentials', 'rate_limited')
  login(@CurrentCaller() caller: Caller, @Body() body: LoginDto): Promise<LoginResponse> {
    return this.signIn.execute(caller, body);
  }
}
