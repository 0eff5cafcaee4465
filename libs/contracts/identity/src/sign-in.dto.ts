import {
  ACCESS_LEVELS,
  type AccessLevel,
  Choice,
  Code,
  ChoiceList,
  Email,
  Flag,
  Instant,
  MAX_ADDRESS,
  Nested,
  NestedList,
  Pasted,
  Plain,
  Text,
  TextList,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';

/** The methods with which a user can prove a second factor. */
export const MFA_METHODS = ['totp', 'webauthn', 'recovery_code'] as const;
export type MfaMethod = (typeof MFA_METHODS)[number];

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 128;
const TOKEN_MAX = 256;

/** `cookie`: the refresh token travels in a cookie that scripts cannot read, instead of in bodies. */
export const SESSION_MODES = ['cookie'] as const;
export type SessionMode = (typeof SESSION_MODES)[number];
/** How a user signed in. */
export const SIGN_IN_MEANS = ['password', 'sso', 'invitation'] as const;
export type SignInMeans = (typeof SIGN_IN_MEANS)[number];

/** Whether the new session keeps its refresh token in a cookie; for browsers. */
export class SessionModeDto {
  @Choice(SESSION_MODES, { optional: true }) session?: SessionMode;
}

export class LoginDto extends SessionModeDto {
  @Email() email!: string;
  /** No minimum length: a password that is too short is wrong like any other. */
  @Text({ max: 1024 }) password!: string;
  @Uuid({ optional: true, description: 'The membership to sign in to, if there are several' })
  membershipId?: string;
}

export class MfaVerifyDto extends SessionModeDto {
  @Text({ min: 1, max: TOKEN_MAX }) mfaToken!: string;
  @Code({ min: 1, max: 64 }) code!: string;
  @Choice(['totp', 'recovery_code'], { optional: true }) method?: Exclude<MfaMethod, 'webauthn'>;
}

export class StepUpDto {
  @Code({ min: 1, max: 64 }) code!: string;
  @Choice(['totp', 'recovery_code'], { optional: true }) method?: Exclude<MfaMethod, 'webauthn'>;
}

export class TotpConfirmDto {
  @Code({ min: 1, max: 64 }) code!: string;
}

@Plain()
export class RefreshDto {
  @Text({ optional: true, min: 1, max: TOKEN_MAX, description: 'Overrides the cookie' }) refreshToken?: string;
}

export class LogoutDto {
  @Text({
    optional: true,
    min: 1,
    max: TOKEN_MAX,
    description: 'The session ends with all of its tokens, whether one is sent or not',
  })
  refreshToken?: string;
}

export class ForgotPasswordDto {
  @Email() email!: string;
}

export class ResetPasswordDto {
  @Pasted({ min: 1, max: TOKEN_MAX }) token!: string;
  @Text({ min: PASSWORD_MIN, max: PASSWORD_MAX }) password!: string;
}

export class ChangePasswordDto {
  @Text({ max: 1024 }) currentPassword!: string;
  @Text({ min: PASSWORD_MIN, max: PASSWORD_MAX }) newPassword!: string;
}

export class AcceptInviteDto extends SessionModeDto {
  @Pasted({ min: 1, max: TOKEN_MAX }) token!: string;
  @Text({ min: PASSWORD_MIN, max: PASSWORD_MAX }) password!: string;
  @Text({ optional: true, min: 1, max: 255, trim: true }) name?: string;
}

export class InvitationTokenDto {
  @Pasted({ min: 1, max: TOKEN_MAX }) token!: string;
}

/** IDY-195. */
export class OpenInvitationResponse {
  @Email({ description: 'The invited address' }) email!: string;
  @Text({ max: 255, description: 'The name under which the user was invited' }) name!: string;
  @Text({ max: 255, description: 'Who invites' }) invitedBy!: string;
  @Text({ max: 255, nullable: true, description: 'The organisation or partner; null for the whole platform' })
  place!: string | null;
  @Flag({ description: 'Whether the user confirms with their existing password' }) hasPassword!: boolean;
}

export class TokensResponse {
  @Text({ max: 4096 }) accessToken!: string;
  @Text({ max: TOKEN_MAX, optional: true, description: 'Absent when it is in the session cookie' })
  refreshToken?: string;
  @Whole({ min: 1, max: 86_400 }) expiresInSeconds!: number;
}

export class SignedInUserRecord {
  @Uuid() id!: string;
  @Text({ max: MAX_ADDRESS }) email!: string;
  @Text({ max: 255 }) name!: string;
}

export class MfaStateRecord {
  @Flag({ description: 'Whether a second factor was confirmed within the last 12 hours' }) satisfied!: boolean;
  @Flag() enrolled!: boolean;
}

export class MembershipChoiceRecord {
  @Uuid() id!: string;
  @Choice(ACCESS_LEVELS) scope!: AccessLevel;
  @Uuid({ nullable: true }) partnerId!: string | null;
  @Text({ max: 255, nullable: true }) partnerName!: string | null;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Text({ max: 255, nullable: true }) orgName!: string | null;
  @Text({ max: 255 }) role!: string;
}

/** Announces, after a sign-in with a password, that single sign-on becomes compulsory. */
export class SignInNoticeRecord {
  @Choice(['sso_enforcement']) kind!: 'sso_enforcement';
  @Text({ max: 255 }) providerName!: string;
  @Instant({ description: 'When passwords start to be refused' }) enforceAt!: string;
  @Text({ max: 500 }) loginUrl!: string;
}

const NOTICE = { optional: true, description: 'Only present together with tokens' };

export class SignedInResponse extends TokensResponse {
  @Nested(() => SignedInUserRecord) user!: SignedInUserRecord;
  @Nested(() => MfaStateRecord) mfa!: MfaStateRecord;
  @Nested(() => SignInNoticeRecord, NOTICE) notice?: SignInNoticeRecord;
}

/** The answer to a sign-in: tokens, or the step that is still missing. */
export class LoginResponse {
  @Text({ max: 4096, optional: true }) accessToken?: string;
  @Text({ max: TOKEN_MAX, optional: true }) refreshToken?: string;
  @Whole({ min: 1, max: 86_400, optional: true }) expiresInSeconds?: number;
  @Nested(() => SignedInUserRecord, { optional: true }) user?: SignedInUserRecord;
  @Nested(() => MfaStateRecord, { optional: true }) mfa?: MfaStateRecord;
  @Nested(() => SignInNoticeRecord, NOTICE) notice?: SignInNoticeRecord;
  @Flag({ optional: true, description: 'Continue with /auth/mfa/verify' }) mfaRequired?: true;
  @Text({ max: TOKEN_MAX, optional: true }) mfaToken?: string;
  @ChoiceList(MFA_METHODS, { maxItems: 3, optional: true }) methods?: MfaMethod[];
  @Flag({ optional: true, description: 'Sign in again with one of these as membershipId' }) membershipRequired?: true;
  @NestedList(() => MembershipChoiceRecord, { maxItems: 1000, optional: true }) memberships?: MembershipChoiceRecord[];
}

export class TotpEnrolmentResponse {
  @Text({ max: 64 }) secret!: string;
  @Text({ max: 1024 }) otpauthUrl!: string;
}

export class TotpConfirmedResponse extends TokensResponse {
  @TextList({ max: 20, maxItems: 10, description: 'Shown only once; each code works once' }) recoveryCodes!: string[];
}

export class DoneResponse {
  @Flag() success!: true;
}

export class MessageResponse extends DoneResponse {
  @Text({ max: 200 }) message!: string;
}
