// Designators of standards and algorithms that look like ticket numbers but are not.
const STANDARDS = /^(SHA|AES|ISO|UTF|HMAC|RSA|PBKDF|X|P|MD|IEEE|TLS|BASE|CVE|CWE|FIPS|US)\d*-/;
const TICKET = /(?<![\w&/-])#\d+\b|\bissue\s+#?\d+|(?<![\w-])[A-Z][A-Z0-9]+-\d+\b/gi;
const SPEC = /\b(?:SSO|PAM|Tenancy)\s+spec(?:ification)?\b.{0,3}/gi;
const GOOD_SPEC = /^(?:SSO|PAM|Tenancy) spec, "/;
const RFC = /\bRFC[\s-]*\d+(?:[\s,]*(?:§|section|sec\.)\s*[\d.]+)?/gi;
const GOOD_RFC = /^RFC \d{3,5}$/;

/** References in comments have one form, so that they can be found and stay true: no ticket numbers, no free-form citations. */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'comments cite the specification in one form' },
    messages: {
      ticket: '"{{text}}" is a ticket number; say the reason itself.',
      spec: 'Cite the specification as: SSO spec, "Login session"',
      rfc: 'Cite an RFC as: RFC 7636 4.2',
    },
    schema: [],
  },
  create(context) {
    const check = (comment) => {
      const report = (messageId, text) => context.report({ loc: comment.loc, messageId, data: { text } });
      for (const [text] of comment.value.matchAll(TICKET)) {
        if (isTicket(text)) report('ticket', text);
      }
      for (const [text] of comment.value.matchAll(SPEC)) {
        if (!GOOD_SPEC.test(text)) report('spec', text);
      }
      for (const [text] of comment.value.matchAll(RFC)) {
        if (!GOOD_RFC.test(text)) report('rfc', text);
      }
    };
    return { Program: () => context.sourceCode.getAllComments().forEach(check) };
  },
};

function isTicket(text) {
  if (text.startsWith('#') || /^issue/i.test(text)) return true;
  return text === text.toUpperCase() && !/^RFC-/.test(text) && !STANDARDS.test(text);
}
