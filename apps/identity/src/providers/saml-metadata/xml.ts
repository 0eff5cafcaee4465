import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js';

/** The part of the DOM that SAML needs. */
export interface XmlElement {
  readonly nodeType: number;
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly parentNode: XmlElement | null;
  readonly childNodes: ArrayLike<XmlElement>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<XmlElement>;
}

const ELEMENT = 1;

/** @throws Error unless the document has exactly one well-formed root element */
export async function parseXml(xml: string): Promise<XmlElement> {
  const document: unknown = await parseDomFromString(xml);
  const [root, ...others] = childElements(document as Pick<XmlElement, 'childNodes'>);
  if (!root || others.length > 0) throw new Error('the document does not have one root element');
  return root;
}

export const childElements = ({ childNodes }: { readonly childNodes: ArrayLike<XmlElement> }): XmlElement[] =>
  Array.from(childNodes).filter(({ nodeType }) => nodeType === ELEMENT);
export const childrenNamed = (element: XmlElement, name: string): XmlElement[] =>
  childElements(element).filter(({ localName }) => localName === name);
/** Returns the elements of this local name at any depth, in any namespace. */
export const descendants = (element: XmlElement, name: string): XmlElement[] =>
  Array.from(element.getElementsByTagNameNS('*', name));
/** Returns the attribute, or null when it is absent, for which the DOM itself returns an empty string. */
export const attribute = (element: XmlElement | undefined, name: string): string | null =>
  element?.hasAttribute(name) ? element.getAttribute(name) : null;
/** SSO-82: providers wrap and indent texts, so white space around one is no part of it. */
export const textOf = (element: XmlElement | undefined): string => (element?.textContent ?? '').trim();
/** The text of an attribute, read as {@link textOf} reads that of an element. */
export const textAttribute = (element: XmlElement | undefined, name: string): string | null =>
  attribute(element, name)?.trim() ?? null;
