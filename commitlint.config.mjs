export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    'body-max-line-length': [0],
    // Subjects begin with names such as SAML or PostgreSQL.
    'subject-case': [0],
  },
};
