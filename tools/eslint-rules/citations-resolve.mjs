import { readdirSync, readFileSync } from 'node:fs';

const PAGES = new URL('../../docs/behavior/', import.meta.url);
const RULE = /(?<![\w-])(?:SSO|IDY|PAM|TEN|AUD|R)-\d{2,3}(?!\d)/g;
// Designators of standards and algorithms that look like ticket numbers but are not.
const STANDARDS = /^(SHA|AES|ISO|UTF|HMAC|RSA|PBKDF|X|P|MD|IEEE|TLS|BASE|CVE|CWE|FIPS|US)\d*-/;
const TICKET = /(?<![\w&/-])#\d+\b|\bissue\s+#?\d+|(?<![\w-])[A-Z][A-Z0-9]+-\d+\b/gi;
const SPECIFICATION = /\b(?:SSO|PAM|Tenancy)\s+spec(?:ification)?\b/gi;
const RFC = /\bRFC[\s-]*\d+(?:[\s,]*(?:§|section|sec\.)\s*[\d.]+)?/gi;
const GOOD_RFC = /^RFC \d{3,5}$/;

const rulesIn = (page) => readFileSync(new URL(page, PAGES), 'utf8').matchAll(/^\| ([A-Z]+-\d+) \|/gm);
const RULES = new Set(readdirSync(PAGES).flatMap((page) => [...rulesIn(page)].map(([, id]) => id)));

/** Comments cite a rule of docs/behavior by its number, an RFC by number and section, and no tickets. */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'citations in comments have a target' },
    messages: {
      ticket: '"{{text}}" is a ticket number; say the reason itself.',
      unknown: 'docs/behavior has no rule {{text}}.',
      spec: 'Cite a rule of docs/behavior by its number, such as PAM-31.',
      rfc: 'Cite an RFC as: RFC 7636 4.2',
    },
    schema: [],
  },
  create(context) {
    const check = (comment) => {
      const report = (messageId, text) => context.report({ loc: comment.loc, messageId, data: { text } });
      for (const [text] of comment.value.matchAll(RULE)) if (!RULES.has(text)) report('unknown', text);
      const rest = comment.value.replace(RULE, '');
      for (const [text] of rest.matchAll(TICKET)) if (isTicket(text)) report('ticket', text);
      for (const [text] of rest.matchAll(SPECIFICATION)) report('spec', text);
      for (const [text] of rest.matchAll(RFC)) if (!GOOD_RFC.test(text)) report('rfc', text);
    };
    return { Program: () => context.sourceCode.getAllComments().forEach(check) };
  },
};

function isTicket(text) {
  if (text.startsWith('#') || /^issue/i.test(text)) return true;
  return text === text.toUpperCase() && !/^RFC-/.test(text) && !STANDARDS.test(text);
}
