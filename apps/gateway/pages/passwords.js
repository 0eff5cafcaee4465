/** What a new password must be: the same sentence before the form is sent and when it is refused. */
const LEAST = 12;
const MOST = 128;

export const PASSWORD_RULE = `A password has ${LEAST} to ${MOST} characters, at least five different ones, and is not a common one. A few unrelated words are easy to remember.`;

/** Why a new password would be refused for its length, or null; common ones are found by the service. */
export function lengthFault(password) {
  const length = [...password].length;
  if (length < LEAST) return `This password has ${length} characters; at least ${LEAST} are required.`;
  return length > MOST ? `This password has ${length} characters; at most ${MOST} are allowed.` : null;
}
