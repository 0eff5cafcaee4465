import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The comments and decorators of a handler that the contract needs. */
export interface HandlerSource {
  readonly path: string;
  readonly comment: string;
  /** The text of `@param` by the parameter's name. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The class of the query parameters, if they have one. */
  readonly query: string | null;
  /** The path parameters that must be a UUID. */
  readonly ids: readonly string[];
}

export interface ClassSource {
  readonly name: string;
  /** The file that declares it. */
  readonly path: string;
  readonly comment: string;
  readonly extended: string | null;
  readonly members: ReadonlyMap<string, string>;
  readonly handlers: ReadonlyMap<string, HandlerSource>;
}

/** Wrapped lines become one line; empty lines and lists stay. */
const unwrapped = (text: string): string =>
  text.replaceAll(/\r/g, '').replaceAll(/([^\n])\n(?!\n|[-*|] |\d+\. )/g, '$1 ');

/** Rules and decisions are for readers of the code. */
const CITATION =
  /\s*\(?\b(?:[A-Z]{2,5}-\d+)(?:(?:, | and | to |–)[A-Z]{2,5}-\d+)*\)?[.:;]?(?=\s|$)|\s*\((?:decisions|RFC)[^)]*\)/g;

const published = (text: string): string => unwrapped(text).replaceAll(CITATION, '').trim();

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  return published(ts.getTextOfJSDocComment(comment?.comment) ?? '');
}

const decoratorOf = (node: ts.HasDecorators, name: string): ts.CallExpression | undefined =>
  (ts.getDecorators(node) ?? [])
    .map(({ expression }) => expression)
    .filter(ts.isCallExpression)
    .find(({ expression }) => expression.getText() === name);

const typeName = ({ type }: ts.ParameterDeclaration): string | null =>
  type && ts.isTypeReferenceNode(type) ? type.typeName.getText() : null;

const textOf = (node: ts.Expression | undefined): string | null =>
  node && ts.isStringLiteral(node) ? node.text : null;

function handlerOf(method: ts.MethodDeclaration): HandlerSource {
  const query = method.parameters.find((parameter) => decoratorOf(parameter, 'Query')?.arguments.length === 0);
  const ids = method.parameters.flatMap((parameter) => {
    const [name, pipe] = decoratorOf(parameter, 'Param')?.arguments ?? [];
    return pipe?.getText() === 'UuidParam' ? (textOf(name) ?? []) : [];
  });
  const parameters = new Map(
    ts
      .getJSDocTags(method)
      .filter(ts.isJSDocParameterTag)
      .map((tag) => [tag.name.getText(), published(ts.getTextOfJSDocComment(tag.comment) ?? '')]),
  );
  return {
    path: method.getSourceFile().fileName,
    comment: commentOf(method),
    parameters,
    query: query ? typeName(query) : null,
    ids,
  };
}

function classOf(node: ts.ClassDeclaration): ClassSource {
  const members = node.members
    .filter(ts.isPropertyDeclaration)
    .map((member) => [member.name.getText(), commentOf(member)]);
  const handlers = node.members
    .filter(ts.isMethodDeclaration)
    .map((method) => [method.name.getText(), handlerOf(method)] as const);
  const [parent] = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types ?? [];
  return {
    name: node.name?.text ?? '',
    path: node.getSourceFile().fileName,
    comment: commentOf(node),
    extended: parent?.expression.getText() ?? null,
    members: new Map(members as [string, string][]),
    handlers: new Map(handlers),
  };
}

/** The comments above the entries of an object literal constant: the meaning of each problem code. */
export function entryComments(path: string, constant: string): ReadonlyMap<string, string> {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const comments = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === constant) node.initializer?.forEachChild(note);
    else ts.forEachChild(node, visit);
  };
  const note = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node))
      comments.set(ts.isStringLiteral(node.name) ? node.name.text : node.name.getText(), commentOf(node));
    else ts.forEachChild(node, note);
  };
  visit(source);
  return comments;
}

/** Only these files declare controllers and classes of requests and answers. */
const RELEVANT = /@nestjs\/|contracts-core|\/fields\.ts/;

function classesIn(path: string): ClassSource[] {
  const text = readFileSync(path, 'utf8');
  if (!RELEVANT.test(text) || !text.includes('class ')) return [];
  const classes: ClassSource[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassDeclaration(node) && node.name) classes.push(classOf(node));
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return classes;
}

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => name.endsWith('.ts') && !/spec\.ts$|\.d\.ts$|(^|\/)(dist|node_modules|test|migrations)\//.test(name),
    )
    .map((name) => join(folder, name));

/** The classes declared below the folders, by name; of two with the same name, the one in the earlier folder. */
export function readSources(folders: readonly string[]): ReadonlyMap<string, ClassSource> {
  const classes = folders.flatMap(sourcesBelow).flatMap(classesIn);
  return new Map(classes.reverse().map((each) => [each.name, each]));
}
