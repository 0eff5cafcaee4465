import jsxA11y from 'eslint-plugin-jsx-a11y-x';
import reactHooks from 'eslint-plugin-react-hooks';

const CONSOLE = 'apps/console/src/**/*.{ts,tsx}';
const banned = (names, message) => names.map((name) => ({ name, message }));
const members = (names, message) =>
  ['window', 'globalThis', 'self'].flatMap((object) => names.map((property) => ({ object, property, message })));

const CALLS = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket'];
const CALLS_MESSAGE = 'The API is called in src/api only.';
const STORES = ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'];
const STORES_MESSAGE = 'What a browser keeps is in src/shell/preferences only.';

/** A part of a screen is loaded so that the reload is offered where a deployment has replaced its file. */
const LATER = {
  files: [CONSOLE],
  ignores: ['apps/console/src/ui/later/lazy-part.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: [
          {
            name: 'react',
            importNames: ['lazy'],
            message: 'Parts are loaded by `later` of src/ui/later, which offers the reload after a rollout.',
          },
        ],
      },
    ],
  },
};

/** Ways to markup, code and windows that a value from outside must not take. */
const MARKUP = 'Texts are rendered as text.';
export const UNSAFE_SHAPES = [
  { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: MARKUP },
  { selector: 'Property[key.name="dangerouslySetInnerHTML"]', message: MARKUP },
  { selector: 'MemberExpression[property.name=/^(inner|outer)HTML$|^srcdoc$/]', message: MARKUP },
  { selector: 'MemberExpression[property.value=/^(inner|outer)HTML$|^srcdoc$/]', message: MARKUP },
  {
    selector:
      'CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment)$/]',
    message: MARKUP,
  },
  { selector: 'CallExpression[callee.object.name="document"][callee.property.name=/^write/]', message: MARKUP },
  {
    selector: 'MemberExpression[object.name="document"][property.name="cookie"]',
    message: 'Cookies are the business of the server.',
  },
  {
    selector:
      'JSXOpeningElement:has(JSXAttribute[name.name="target"][value.value="_blank"]):not(:has(JSXAttribute[name.name="rel"][value.value=/\\bnoopener\\b/]))',
    message: 'A link that opens a window needs rel="noopener noreferrer".',
  },
  {
    selector: 'CallExpression[callee.property.name="open"][callee.object.name="window"]:not([arguments.2])',
    message: "A window is opened with 'noopener'.",
  },
];

/**
 * The lint rules of the console beside those of all code.
 * @param shapes the shapes that no code of the repository may have
 */
export const consoleConfig = (shapes) => [
  {
    files: [CONSOLE],
    extends: [reactHooks.configs.flat['recommended-latest'], jsxA11y.configs.recommended],
    rules: {
      'no-restricted-syntax': ['error', ...shapes, ...UNSAFE_SHAPES],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-script-url': 'error',
      // A scroll area takes the focus, so that the keyboard can reach what it holds.
      'jsx-a11y-x/no-noninteractive-tabindex': ['error', { tags: [], roles: ['region', 'tabpanel'] }],
      // Single keys act while the focus is in a list.
      'jsx-a11y-x/no-noninteractive-element-interactions': [
        'error',
        { handlers: ['onClick', 'onMouseDown', 'onMouseUp'] },
      ],
      'gatehouse/console-layers': 'error',
    },
  },
  LATER,
  {
    files: [CONSOLE],
    ignores: [
      'apps/console/src/api/**',
      'apps/console/src/sw.ts',
      'apps/console/src/shell/preferences*',
      '**/*.spec.*',
    ],
    rules: {
      'no-restricted-globals': ['error', ...banned(CALLS, CALLS_MESSAGE), ...banned(STORES, STORES_MESSAGE)],
      'no-restricted-properties': ['error', ...members(CALLS, CALLS_MESSAGE), ...members(STORES, STORES_MESSAGE)],
    },
  },
  {
    files: ['apps/console/src/api/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.*'],
    rules: {
      'no-restricted-globals': ['error', ...banned(STORES, STORES_MESSAGE)],
      'no-restricted-properties': ['error', ...members(STORES, STORES_MESSAGE)],
    },
  },
  {
    files: ['apps/console/src/shell/preferences*'],
    rules: {
      'no-restricted-globals': ['error', ...banned(CALLS, CALLS_MESSAGE)],
      'no-restricted-properties': ['error', ...members(CALLS, CALLS_MESSAGE)],
    },
  },
];
