import {
  type CallExpression,
  Node,
  type SourceFile,
  SyntaxKind,
  type Identifier,
  type NewExpression,
  type PropertyAccessExpression,
} from "ts-morph";
import { todoComment } from "./todo-comment.js";
import { usesName } from "./used-names.js";

/** Replaces the characters from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An import that rewritten code needs. */
export interface NeededImport {
  readonly from: string;
  readonly name: string;
  readonly isType: boolean;
}

/** Stands after code that a rule has rewritten to code of the same form, until all rules have run. */
export const doneMark = "/*\u0001*/";

/** Whether a call, or a creation, has the mark between its callee and its arguments. */
export function isMarked(call: CallExpression | NewExpression): boolean {
  const from = call.getExpression().getEnd();
  return call.getSourceFile().getFullText().startsWith(doneMark, from);
}

/** Collects the changes of one file in one pass of the rules. */
export class FileRewriter {
  readonly #groups = new Map<string, readonly Edit[]>();
  readonly #todos = new Set<string>();
  readonly #givenNames = new Set<string>();

  constructor(
    readonly file: SourceFile,
    /** The path of the file that declares the official types. */
    readonly typesPath: string,
    /** Added to by the rules; lives as long as the file. */
    readonly imports: Map<string, NeededImport>,
  ) {}

  /**
   * Makes edits together: all of them, or none in this pass if another rule has changed the same place. The same edits twice, of code
   * that two calls share, are made once.
   */
  change(...edits: readonly Edit[]): void {
    const key = JSON.stringify(edits);
    if (!this.#groups.has(key)) this.#groups.set(key, edits);
  }

  /** Leaves a comment for a person above the line of a node. @param section of the pages about migrating */
  todo(node: Node, text: string, section: string): void {
    const content = this.file.getFullText();
    const lineStart = placeOfComment(node, content);
    const comment = todoComment(text, section);
    const key = `${lineStart} ${comment}`;
    if (this.#todos.has(key) || commentsAbove(content, lineStart).includes(comment)) return;
    this.#todos.add(key);
    const indent = /^[ \t]*/.exec(content.slice(lineStart))?.[0] ?? "";
    const eol = content.includes("\r\n") ? "\r\n" : "\n";
    this.change({ start: lineStart, end: lineStart, text: `${indent}${comment}${eol}` });
  }

  /** Imports a name. */
  use(from: string, name: string, isType = false): void {
    const key = `${from} ${name}`;
    if (this.imports.get(key)?.isType !== false) this.imports.set(key, { from, name, isType });
  }

  /**
   * A name for a new declaration: the first candidate that the file does not use, that no rule imports, and that has not been returned
   * in this pass. If there is none, the first candidate with a number.
   */
  freeName(...candidates: readonly [string, ...string[]]): string {
    let name = candidates.find((one) => this.isFree(one));
    for (let number = 2; name === undefined; number++)
      if (this.isFree(`${candidates[0]}${number}`)) name = `${candidates[0]}${number}`;
    this.#givenNames.add(name);
    return name;
  }

  /** Whether {@link freeName} could return a name. */
  isFree(name: string): boolean {
    const isImported = [...this.imports.values()].some((one) => one.name.split(" as ").at(-1) === name);
    return !isImported && !this.#givenNames.has(name) && !usesName(this.file, name);
  }

  /** A string literal in the style of the file. */
  string(text: string): string {
    const first = this.file.getFirstDescendantByKind(SyntaxKind.StringLiteral)?.getText();
    const json = JSON.stringify(text);
    return first?.startsWith("'") === true && !text.includes("'") ? `'${json.slice(1, -1)}'` : json;
  }

  /** The official name of an expression's type: the class or interface, or the official base of a class. */
  officialType(node: Node): string | undefined {
    const type = node.getType();
    // `this` of a class, or a type parameter of a function.
    const known = type.isTypeParameter() ? (type.getConstraint() ?? type.getSymbol()?.getDeclaredType() ?? type) : type;
    let types = [known.getNonNullableType()];
    for (let depth = 0; types.length > 0 && depth < 8; depth++) {
      for (const one of types) {
        const symbol = one.getSymbol();
        const isOfficial = symbol
          ?.getDeclarations()
          .some((declaration) => declaration.getSourceFile().getFilePath() === this.typesPath);
        if (isOfficial === true) return symbol?.getName();
      }
      types = types.flatMap((one) => one.getBaseTypes());
    }
    return undefined;
  }

  /** The official name that an identifier, or a member of a namespace, refers to: also by an alias, or through another file. */
  officialName(node: Node): string | undefined {
    const symbol = node.getSymbol();
    const target = symbol?.getAliasedSymbol() ?? symbol;
    const [declaration] = target?.getDeclarations() ?? [];
    if (declaration?.getSourceFile().getFilePath() === this.typesPath) return target?.getName();
    return declaration && requiredName(declaration);
  }

  /** The text after the accepted edits; a group that overlaps an earlier one waits for the next pass. */
  apply(): string {
    const accepted: Edit[] = [];
    for (const group of this.#groups.values())
      if (!group.some((edit) => accepted.some((other) => overlaps(edit, other)))) accepted.push(...group);
    const ordered = accepted.map((edit, index) => ({ ...edit, index }));
    // At one place, insertions stand before what replaces the text after it.
    ordered.sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index);
    const text = this.file.getFullText();
    let [result, at] = ["", 0];
    for (const { start, end, text: inserted } of ordered) {
      result += text.slice(at, start) + inserted;
      at = end;
    }
    return result + text.slice(at);
  }
}

/** The property that `const { property: name } = require("@modelcontextprotocol/…")` takes, also in TypeScript. */
function requiredName(declaration: Node): string | undefined {
  if (!Node.isBindingElement(declaration)) return undefined;
  const value = declaration.getParent().getParent();
  const isOfficial =
    Node.isVariableDeclaration(value) &&
    /^(?:await import|require)\(["']@modelcontextprotocol\//.test(value.getInitializer()?.getText() ?? "");
  return isOfficial ? (declaration.getPropertyNameNode()?.getText() ?? declaration.getName()) : undefined;
}

function overlaps(a: Edit, b: Edit): boolean {
  if (a.start === a.end || b.start === b.end)
    return a.start === a.end && b.start === b.end ? false : a.start < b.end && b.start < a.end;
  return a.start < b.end && b.start < a.end;
}

/** The start of a line at or above a node where a comment is a comment: inside of a template or markup, it would be text. */
function placeOfComment(node: Node, content: string): number {
  const lineStart = content.lastIndexOf("\n", node.getStart() - 1) + 1;
  const at = node.getSourceFile().getDescendantAtPos(lineStart);
  const text = at && [at, ...at.getAncestors()].filter(isText).findLast((one) => one.getStart() < lineStart);
  return text && lineStart < text.getEnd() ? placeOfComment(text, content) : lineStart;
}

function isText(node: Node): boolean {
  return (
    Node.isTemplateExpression(node) ||
    Node.isNoSubstitutionTemplateLiteral(node) ||
    Node.isJsxElement(node) ||
    Node.isJsxFragment(node) ||
    Node.isJsxSelfClosingElement(node)
  );
}

/** The comments directly above a line, trimmed. */
function commentsAbove(content: string, lineStart: number): readonly string[] {
  const lines = content.slice(0, lineStart).split(/\r?\n/).slice(0, -1);
  const found: string[] = [];
  for (const line of lines.toReversed()) {
    if (!line.trim().startsWith("//")) break;
    found.push(line.trim());
  }
  return found;
}

export function replaced(node: Node, text: string): Edit {
  return { start: node.getStart(), end: node.getEnd(), text };
}

export function inserted(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** The text before the member of an access: `client`, or `client?`. */
export function receiverOf(access: PropertyAccessExpression): string {
  return `${access.getExpression().getText()}${access.hasQuestionDotToken() ? "?" : ""}`;
}

/** Removes a statement with its line, or only itself if it shares the line. */
export function removedStatement(node: Node): Edit {
  const text = node.getSourceFile().getFullText();
  const [start, end] = [node.getStart(), node.getEnd()];
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0];
  if (text.slice(lineStart, start).trim() === "" && rest !== undefined)
    return { start: lineStart, end: end + rest.length, text: "" };
  return { start, end, text: "" };
}

/** Removes a member of an object literal, or an argument, with its comma. */
export function removedItem(node: Node, items: readonly Node[]): Edit {
  const index = items.indexOf(node);
  const [before, next] = [items[index - 1], items[index + 1]];
  if (next) return { start: node.getStart(), end: next.getStart(), text: "" };
  return { start: before?.getEnd() ?? node.getStart(), end: node.getEnd(), text: "" };
}

/** Identifiers in `scope` that mean the same as `name`, without `name` itself. */
export function referencesIn(scope: Node, name: Identifier): readonly Identifier[] {
  const symbol = name.getSymbol();
  return scope
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((one) => one !== name && one.getText() === name.getText() && isReference(one) && symbolOf(one) === symbol);
}

function symbolOf(node: Identifier) {
  const parent = node.getParent();
  return Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : node.getSymbol();
}

function isReference(node: Identifier): boolean {
  const parent = node.getParent();
  if (Node.isPropertyAccessExpression(parent)) return parent.getExpression() === node;
  return !(Node.isPropertyAssignment(parent) && parent.getNameNode() === node);
}

/** The white space before a node that is the first of its line. */
export function indentOf(node: Node): string {
  return /[ \t]*$/.exec(node.getSourceFile().getFullText().slice(0, node.getStart()))?.[0] ?? "";
}
