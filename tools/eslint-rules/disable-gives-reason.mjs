const DIRECTIVE = /^\s*eslint-disable(?:-next-line|-line)?\b/;
const REASON = /\s--\s+\S/;

/** Switching a rule off needs a reason behind `--`. */
export default {
  meta: {
    type: 'problem',
    docs: { description: 'eslint-disable comments give a reason' },
    messages: { silent: 'Say why the rule is off: eslint-disable-next-line rule -- reason' },
    schema: [],
  },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (DIRECTIVE.test(comment.value) && !REASON.test(comment.value))
          context.report({ loc: comment.loc, messageId: 'silent' });
      }
    },
  }),
};
