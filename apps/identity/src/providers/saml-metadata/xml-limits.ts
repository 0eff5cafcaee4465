/**
 * The maximum sizes of a response. A user with 2000 attributes or in 2500 groups fits (SSO-84). A document that exceeds
 * any other limit would cost the parser and the signature check far more than it costs its sender.
 */
export const XML_LIMITS = {
  elements: 5_000,
  elementsApartFromValues: 2_100,
  depth: 24,
  attributes: 12_000,
  attributesOfOneElement: 24,
  namespaces: 5_000,
  prefixes: 32,
  references: 5_000,
  nameCharacters: 128,
  attributeCharacters: 4_096,
  textCharacters: 100_000,
} as const;

/** The largest numbers of elements that one kind of document may have. */
export interface ElementLimits {
  readonly elementsApartFromValues: number;
  /** By local name. */
  readonly perName: Readonly<Record<string, number>>;
}

/** The maximum number, by local name, of elements that each cost a signature check or the parsing of a certificate. */
const ELEMENT_LIMITS: Readonly<Record<string, number>> = {
  Signature: 2,
  SignedInfo: 2,
  Reference: 2,
  Transforms: 2,
  Transform: 4,
  KeyInfo: 4,
  X509Certificate: 10,
};

const OF_RESPONSES: ElementLimits = {
  elementsApartFromValues: XML_LIMITS.elementsApartFromValues,
  perName: ELEMENT_LIMITS,
};

const NAME = String.raw`(?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*`;
const DECLARATION = /^<\?xml\s[^<>?]{1,150}\?>/;
const START = new RegExp(`<(${NAME})`, 'y');
const ATTRIBUTE = new RegExp(String.raw`\s+(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const START_END = /\s*(\/?)>/y;
const CLOSING = new RegExp(String.raw`</(${NAME})\s*>`, 'y');
const BAD_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/;
// XML 1.0 allows no other control characters.
const BAD_CHARACTER = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

const countOf = (text: string, character: string): number => text.split(character).length - 1;
const localPart = (name: string): string => name.slice(name.indexOf(':') + 1);

/** One pass over a document: it reads one tag after another, builds no tree and never backtracks. */
class MarkupReader {
  private at: number;
  private readonly open: string[] = [];
  private readonly perName = new Map<string, number>();
  private readonly prefixes = new Set<string>();
  private roots = 0;
  private others = 0;
  elements = 0;
  attributes = 0;
  namespaces = 0;

  constructor(
    private readonly xml: string,
    private readonly limits: ElementLimits,
  ) {
    this.at = DECLARATION.exec(xml)?.[0].length ?? 0;
  }

  run(): void {
    while (this.at < this.xml.length) {
      this.text();
      if (this.at === this.xml.length) break;
      if (this.xml[this.at + 1] === '/') this.close();
      else this.start();
    }
    this.require(this.roots === 1 && this.open.length === 0, 'it does not have one root element');
  }

  private require(isKept: boolean, fault: string): void {
    if (!isKept) throw new Error(`the SAML response is refused: ${fault}`);
  }

  private text(): void {
    const next = this.xml.indexOf('<', this.at);
    const end = next === -1 ? this.xml.length : next;
    // A cipher text is as long as the assertion in it, whose own texts are limited once it is decrypted.
    const isCipher = localPart(this.open.at(-1) ?? '') === 'CipherValue';
    this.require(isCipher || end - this.at <= XML_LIMITS.textCharacters, 'a text is too long');
    this.require(
      this.open.length > 0 || this.xml.slice(this.at, end).trim() === '',
      'it has text outside its root element',
    );
    this.at = end;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.xml);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private close(): void {
    const name = this.take(CLOSING)?.[1];
    this.require(name !== undefined && this.open.pop() === name, 'an end tag does not match its start tag');
  }

  private start(): void {
    const name = this.take(START)?.[1];
    if (name === undefined) throw new Error('the SAML response is refused: a tag cannot be read');
    this.countElement(name);
    for (let own = 0, found = this.take(ATTRIBUTE); found; found = this.take(ATTRIBUTE)) {
      this.require(++own <= XML_LIMITS.attributesOfOneElement, 'an element has too many attributes');
      this.countAttribute(found[1] ?? '', found[2] ?? found[3] ?? '');
    }
    const end = this.take(START_END);
    this.require(end !== null, 'a tag cannot be read');
    if (end?.[1] === '') this.open.push(name);
    this.require(this.open.length <= XML_LIMITS.depth, 'it is nested too deeply');
  }

  private countElement(name: string): void {
    if (this.open.length === 0) this.roots++;
    const local = localPart(name);
    const count = (this.perName.get(local) ?? 0) + 1;
    this.perName.set(local, count);
    this.require(++this.elements <= XML_LIMITS.elements, 'it has too many elements');
    if (local !== 'AttributeValue') this.others++;
    this.require(this.others <= this.limits.elementsApartFromValues, 'it has too many elements apart from values');
    this.require(name.length <= XML_LIMITS.nameCharacters, 'a name is too long');
    this.require(count <= (this.limits.perName[local] ?? XML_LIMITS.elements), `it has too many elements ${local}`);
  }

  private countAttribute(name: string, value: string): void {
    this.require(++this.attributes <= XML_LIMITS.attributes, 'it has too many attributes');
    this.require(name.length <= XML_LIMITS.nameCharacters, 'a name is too long');
    this.require(value.length <= XML_LIMITS.attributeCharacters, 'an attribute is too long');
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) return;
    this.prefixes.add(name);
    this.require(++this.namespaces <= XML_LIMITS.namespaces, 'it declares too many namespaces');
    this.require(this.prefixes.size <= XML_LIMITS.prefixes, 'it declares too many prefixes');
  }
}

/**
 * Rejects a document that is not plain, well-formed XML of modest size, in a single pass. Comments, CDATA sections,
 * document types and processing instructions do not parse as tags, so they are rejected too.
 * @returns the numbers of elements, attributes and namespaces
 * @throws Error that names the exceeded limit
 */
export function requireModestXml(
  xml: string,
  limits = OF_RESPONSES,
): { elements: number; attributes: number; namespaces: number } {
  if (BAD_CHARACTER.test(xml))
    throw new Error('the SAML response is refused: it has a character that XML does not know');
  if (countOf(xml, '&') > XML_LIMITS.references || BAD_REFERENCE.test(xml)) {
    throw new Error('the SAML response is refused: it has too many references, or one to an entity of its own');
  }
  const walk = new MarkupReader(xml, limits);
  walk.run();
  return { elements: walk.elements, attributes: walk.attributes, namespaces: walk.namespaces };
}
