import { describe, expect, it } from '@jest/globals';
import { isMailAddress, mailAddressOf } from '../index.ts';

const LABEL = 'b'.repeat(62);
const longest = `${'a'.repeat(64)}@${LABEL}.${LABEL}.${LABEL}.${'c'.repeat(58)}.example`;

describe('a mail address', () => {
  it.each([
    'a@b.co',
    'a.b@b.example',
    "o'neil+tag@corp.example",
    'x_y-z@a-b.example',
    'jörg@müller.example',
    '用户@例子.测试',
    'A@B.EXAMPLE',
    'a@1.example',
    'a@xn--mller-kva.example',
    'a@b.xn--p1ai',
    '👍@b.example',
    longest,
    `${'a'.repeat(307)}@corp.example`,
  ])('is %s', (text) => expect(isMailAddress(text)).toBe(true));

  it.each([
    [
      'has no public domain',
      [
        'x@localhost',
        'x@10.0.0.1',
        'x@[10.0.0.1]',
        'x@corp.example.',
        'x@.corp.example',
        'x@corp..example',
        'x@corp.e',
        'x@corp.123',
        'x@',
        'xx.example',
      ],
    ],
    ['has a dot too many', ['a..b@corp.example', '.a@corp.example', 'a.@corp.example']],
    [
      'has a quoted local part',
      ['"a"@corp.example', '"a\nb"@corp.example', '"a\u0001b"@corp.example', '"a b"@corp.example', 'a"b@corp.example'],
    ],
    [
      'has invisible characters',
      [
        'a\nb@corp.example',
        'a\u0000@corp.example',
        'a\u202eb@corp.example',
        'a\u200bb@corp.example',
        'a\u00adb@corp.example',
        'a@corp\u2060.example',
        'a\ud800@corp.example',
        'a b@corp.example',
        'a\u00a0b@corp.example',
        ' a@corp.example',
        'a@corp.example\r\n',
        'a\ufe0f@corp.example',
        'a\u3164@corp.example',
        'a\u2028@corp.example',
      ],
    ],
    [
      'spells its domain so that it hides another',
      [
        'a@\u212Aorp.example',
        'a@ｃorp.example',
        'a@corp。example',
        'a@corp.example/x',
        'a@corp.example?x',
        'a@corp_x.example',
        'a@\u017forp.example',
        'a@xn--abc-.example',
        'a@xn--a.example',
        'a@-corp.example',
        'a@corp-.example',
      ],
    ],
    [
      'has a character that parts lists or paths',
      [
        'a@b@corp.example',
        'a,b@corp.example',
        'a;b@corp.example',
        '<a@corp.example>',
        'a\\b@corp.example',
        'a(b)@corp.example',
      ],
    ],
    [
      'is too short or too long',
      [
        'a@b.c',
        `${longest}c`,
        `${'a'.repeat(308)}@corp.example`,
        `a@${'b'.repeat(64)}.example`,
        `a@${'b.'.repeat(125)}example`,
      ],
    ],
    ['is no text', [undefined, null, 7, ['a@b.example'], {}]],
  ] as [string, unknown[]][])('is nothing that %s (ATK-16a, ATK-17a)', (_, values) => {
    expect(values.filter((value) => isMailAddress(value))).toEqual([]);
  });

  it.each([
    ['jo@bücher.example', 'jo@xn--bcher-kva.example'],
    ['jo@BÜCHER.EXAMPLE', 'jo@xn--bcher-kva.example'],
    ['jo@bu\u0308cher.example', 'jo@xn--bcher-kva.example'],
    ['jo@XN--BCHER-KVA.example', 'jo@xn--bcher-kva.example'],
    ['jo@straße.example', 'jo@xn--strae-oqa.example'],
    ['jo@strasse.example', 'jo@strasse.example'],
    ['Jörg@Bücher.Example', 'Jörg@xn--bcher-kva.example'],
    ['jo@βόλος.example', 'jo@xn--nxasmm1c.example'],
    ['jo@\u05d3\u05d5\u05d2\u05de\u05d4.example', 'jo@xn--6dbbec0c.example'],
  ])('%s has the one form %s (FIELD-06, IDY-150)', (sent, form) =>
    expect([mailAddressOf(sent), mailAddressOf(form)]).toEqual([form, form]),
  );

  it.each([
    ['a bidirectional control', 'jo@a\u202eb.example'],
    ['letters of both directions in one label', 'jo@\u05d3a.example'],
    ['a digit before letters from right to left', 'jo@1\u05d0.example'],
    ['a character that Unicode has not assigned', 'jo@a\u0378b.example'],
    ['a joiner without its script', 'jo@a\u200db.example'],
    ['a symbol', 'jo@💩.example'],
  ])('has no domain with %s (FIELD-06, IDY-150)', (_, sent) => expect(mailAddressOf(sent)).toBeNull());

  it('is counted in characters, and may be limited further (ATK-17a)', () => {
    expect([
      longest.length,
      isMailAddress(longest, 319),
      isMailAddress('a@corp.example', 14),
      isMailAddress('a@corp.example', 13),
    ]).toEqual([320, false, true, false]);
  });
});
