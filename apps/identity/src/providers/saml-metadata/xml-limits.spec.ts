import { describe, expect, it } from '@jest/globals';
import { requireModestXml, XML_LIMITS } from './xml-limits.ts';

const times = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('');
const root = (inside: string): string => `<r>${inside}</r>`;
const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);

describe('the limits of a SAML response (ATK-11a)', () => {
  it('counts what a modest document holds', () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\r\n<p:r xmlns:p="urn:p" a='1'> <b c = "x > y &amp; &#x20;" /><p:b>text &lt;</p:b >\n</p:r>\n`;
    expect(requireModestXml(xml)).toEqual({ elements: 3, attributes: 3, namespaces: 1 });
  });

  it('accepts a document at each limit', () => {
    const { elements, elementsApartFromValues, depth, textCharacters, attributeCharacters, references } = XML_LIMITS;
    expect(requireModestXml(root('<AttributeValue/>'.repeat(elements - 1))).elements).toBe(elements);
    expect(requireModestXml(root('<a/>'.repeat(elementsApartFromValues - 1))).elements).toBe(elementsApartFromValues);
    for (const xml of [
      nested(depth),
      root('x'.repeat(textCharacters)),
      `<r a="${'x'.repeat(attributeCharacters)}"/>`,
      root('&lt;'.repeat(references)),
    ]) {
      expect(() => requireModestXml(xml)).not.toThrow();
    }
  });

  it.each<[string, string, string]>([
    ['25 000 empty elements', root('<a/>'.repeat(25_000)), 'too many elements apart from values'],
    ['25 000 values', root('<s:AttributeValue/>'.repeat(25_000)), 'too many elements'],
    ['deep nesting', nested(XML_LIMITS.depth + 1), 'nested too deeply'],
    ['deep nesting that never ends', '<a>'.repeat(5_000), 'nested too deeply'],
    ['many attributes of one element', `<r ${times(40, (at) => ` a${at}=""`)}/>`, 'an element has too many attributes'],
    [
      'many attributes in all',
      root(times(1_400, () => '<AttributeValue a="" b="" c="" d="" e="" f="" g="" h="" i=""/>')),
      'too many attributes',
    ],
    ['many namespaces', root(times(3_000, () => '<AttributeValue xmlns="u" xmlns:b="v"/>')), 'too many namespaces'],
    ['many prefixes', root(times(40, (at) => `<a xmlns:p${at}="u"/>`)), 'too many prefixes'],
    ['a huge attribute', `<r a="${'x'.repeat(XML_LIMITS.attributeCharacters + 1)}"/>`, 'an attribute is too long'],
    ['a huge text', root('x'.repeat(XML_LIMITS.textCharacters + 1)), 'a text is too long'],
    ['a huge name', `<${'n'.repeat(200)}/>`, 'a name is too long'],
    ['many references', root('&lt;'.repeat(XML_LIMITS.references + 1)), 'too many references'],
    ['an entity of its own', root('&bomb;'), 'too many references, or one to an entity'],
    ['many signatures', root('<d:Signature/>'.repeat(3)), 'too many elements Signature'],
    ['many references in signatures', root('<Reference/>'.repeat(3)), 'too many elements Reference'],
    ['many transforms', root('<x:Transform/>'.repeat(5)), 'too many elements Transform'],
    ['many certificates', root('<X509Certificate/>'.repeat(11)), 'too many elements X509Certificate'],
    ['a comment', root('<!-- x -->'), 'a tag cannot be read'],
    ['a CDATA section', root('<![CDATA[x]]>'), 'a tag cannot be read'],
    ['a document type', '<!DOCTYPE r><r/>', 'a tag cannot be read'],
    ['a processing instruction', root('<?php ?>'), 'a tag cannot be read'],
    ['a second declaration', root('<?xml version="1.0"?>'), 'a tag cannot be read'],
    ['tags that do not end', '<a '.repeat(50_000), 'a tag cannot be read'],
    ['an attribute that does not end', `<a b="${'x'.repeat(200_000)}`, 'a tag cannot be read'],
    ['blanks without end in a tag', `<a${' '.repeat(200_000)}<`, 'a tag cannot be read'],
    ['an end tag of another name', '<a></b>', 'an end tag does not match'],
    ['an end tag too many', '<a/></a>', 'an end tag does not match'],
    ['an element that stays open', '<a>', 'does not have one root'],
    ['two roots', '<a/><a/>', 'does not have one root'],
    ['no root', '  ', 'does not have one root'],
    ['text outside the root', 'x<a/>', 'text outside'],
    ['a control character', root('\u0001'), 'a character that XML does not know'],
  ])('refuses %s', (_, xml, fault) => {
    expect(() => requireModestXml(xml)).toThrow(fault);
  });
});
