import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { spanAt } from "./text-position.js";

/** Kinds of tokens, by the numbers of `SyntaxKind`, an enum that has no value at run time. */
const kinds = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, space: 15, end: 17 } as const;

export interface Member {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly value: Node;
}

/**
 * Parses a JSON text that may have comments and trailing commas.
 * @returns undefined for a text without a value
 * @throws DiagnosticError install-config-syntax
 */
export function readTree(text: string, path: string): Node | undefined {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail("install-config-syntax", { reason: "it nests too deeply" }, spanAt(path, text, 0));
  }
  const [first] = errors;
  if (first) {
    const reason = words(printParseErrorCode(first.error));
    return fail("install-config-syntax", { reason }, spanAt(path, text, first.offset));
  }
  return root;
}

/** `PropertyNameExpected` as `property name expected`. */
function words(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** The members of an object, in order. */
export function membersOf({ children = [] }: Node): readonly Member[] {
  return children.flatMap(({ offset, length, children: [name, value] = [] }) =>
    name && value ? [{ name: String(name.value), start: offset, end: offset + length, value }] : [],
  );
}

export interface LastToken {
  readonly end: number;
  /** Whether it is a comment that ends with its line. */
  readonly isLineComment: boolean;
}

/** The last token or comment before `offset`, not before `from`. */
export function tokenBefore(text: string, from: number, offset: number): LastToken {
  let last = { end: from, isLineComment: false };
  for (const { kind, end } of tokens(text, from)) {
    if (end > offset) break;
    if (!blanks.has(kind)) last = { end, isLineComment: kind === kinds.lineComment };
  }
  return last;
}

/** The position after the comma that follows a value; undefined when the object ends. */
export function endOfCommaAfter(text: string, offset: number): number | undefined {
  for (const { kind, end } of tokens(text, offset)) {
    if (kind === kinds.comma) return end;
    if (!blanks.has(kind) && !comments.has(kind)) return undefined;
  }
  return undefined;
}

/** The position after the comments that begin on the line of `offset`, or `offset` if another token follows on it. */
export function endOfCommentsOnLine(text: string, offset: number): number {
  let done = offset;
  for (const { kind, end } of tokens(text, offset)) {
    if (kind === kinds.space) continue;
    if (!comments.has(kind)) return kind === kinds.lineBreak ? done : offset;
    done = end;
  }
  return offset;
}

const blanks: ReadonlySet<number> = new Set([kinds.space, kinds.lineBreak]);
const comments: ReadonlySet<number> = new Set([kinds.lineComment, kinds.blockComment]);

function* tokens(text: string, from: number): Generator<{ readonly kind: number; readonly end: number }> {
  const scanner = createScanner(text);
  scanner.setPosition(from);
  for (let kind: number = scanner.scan(); kind !== kinds.end; kind = scanner.scan())
    yield { kind, end: scanner.getTokenOffset() + scanner.getTokenLength() };
}
