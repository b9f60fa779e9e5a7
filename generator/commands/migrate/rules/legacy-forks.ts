import {
  type ArrowFunction,
  type CallExpression,
  type ConditionalExpression,
  type FunctionExpression,
  type IfStatement,
  Node,
  SyntaxKind,
  type VariableDeclaration,
} from "ts-morph";
import {
  type Edit,
  type FileRewriter,
  referencesIn,
  removedItem,
  removedStatement,
  replaced,
} from "../file-rewriter.js";
import { callOf } from "./context-members.js";

type Handler = ArrowFunction | FunctionExpression;

/** A handler for clients of 2026-07-28 only, beside which a program keeps transports for the others. */
export interface StrictHandler {
  /** The variable that `toNodeHandler` returns. */
  readonly name: string;
  readonly creation: CallExpression;
}

/** The only `createMcpHandler(factory, { legacy: "reject" })` of a file that is converted for Node. */
export function strictHandlerOf(rewriter: FileRewriter): StrictHandler | undefined {
  const creations = rewriter.file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((one) => rewriter.officialName(one.getExpression()) === "createMcpHandler" && legacyOption(one));
  const [creation, ...others] = creations;
  if (!creation || others.length > 0) return undefined;
  const direct = converted(rewriter, creation.getParent());
  if (direct) return { name: direct, creation };
  const declaration = creation.getParent();
  const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
  if (!Node.isIdentifier(name)) return undefined;
  const names = referencesIn(rewriter.file, name).map((one) => converted(rewriter, one.getParent()));
  const [only] = names;
  return names.length === 1 && only !== undefined ? { name: only, creation } : undefined;
}

function legacyOption(creation: CallExpression): Node | undefined {
  const options = creation.getArguments()[1];
  const option = Node.isObjectLiteralExpression(options) ? options.getProperty("legacy") : undefined;
  return option && /["']reject["']/.test(option.getText()) ? option : undefined;
}

/** The options `legacy` of all handlers of a file. */
export function legacyOptions(rewriter: FileRewriter): readonly Node[] {
  return rewriter.file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((one) => {
    const options = one.getArguments()[1];
    if (rewriter.officialName(one.getExpression()) !== "createMcpHandler" || !Node.isObjectLiteralExpression(options))
      return [];
    return options.getProperty("legacy") ?? [];
  });
}

/** The variable of `const name = toNodeHandler(…)`. */
function converted(rewriter: FileRewriter, call: Node | undefined): string | undefined {
  if (!Node.isCallExpression(call) || rewriter.officialName(call.getExpression()) !== "toNodeHandler") return undefined;
  const declaration = call.getParent();
  return Node.isVariableDeclaration(declaration) && Node.isIdentifier(declaration.getNameNode())
    ? declaration.getName()
    : undefined;
}

/** Whether two functions make the same servers: the factory of a handler, and a function that is called for a transport. */
export function makesSame(strict: StrictHandler, maker: string): boolean {
  const [factory] = strict.creation.getArguments();
  if (factory?.getText() === maker) return true;
  if (!Node.isArrowFunction(factory)) return false;
  const body = factory.getBody();
  return Node.isCallExpression(body) && body.getExpression().getText() === maker;
}

/**
 * The edits by which the strict handler serves all clients: forks by `isLegacyRequest` always take its branch. Undefined if something
 * else depends on the fork.
 * @param handlers keep transports; they are removed, or call the strict handler
 */
export function joinForks(
  rewriter: FileRewriter,
  strict: StrictHandler,
  handlers: readonly Handler[],
): readonly Edit[] | undefined {
  const option = legacyOption(strict.creation);
  const options = strict.creation.getArguments()[1];
  if (!option || !Node.isObjectLiteralExpression(options)) return undefined;
  const isOnly = options.getProperties().length === 1;
  const edits: Edit[] = [
    isOnly ? removedItem(options, strict.creation.getArguments()) : removedItem(option, options.getProperties()),
  ];
  const derived = derivedFromRequests(rewriter);
  const gone = new Set<Node>();
  for (const fork of rewriter.file.getDescendants().filter(isFork)) {
    const isLegacy = legacyCondition(rewriter, fork, derived);
    if (isLegacy === undefined) continue;
    const [legacy, modern] = branchesOf(fork, isLegacy);
    if (!modern || !calls(modern, strict.name)) return undefined;
    edits.push(replaced(fork, withoutArguments(modern, derived)));
    gone.add(fork);
    if (legacy) gone.add(legacy);
  }
  if (gone.size === 0) return undefined;
  for (const declaration of derived) {
    const [name, statement] = [declaration.getNameNode(), declaration.getVariableStatement()];
    if (!Node.isIdentifier(name) || statement?.getDeclarations().length !== 1) return undefined;
    const isUsed = referencesIn(rewriter.file, name).some((one) => {
      const around = one.getAncestors();
      return !around.some((node) => gone.has(node) || (Node.isVariableDeclaration(node) && derived.includes(node)));
    });
    if (isUsed) return undefined;
    edits.push(removedStatement(statement));
  }
  for (const handler of handlers) {
    const declaration = handler.getParent();
    const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
    const statement = Node.isVariableDeclaration(declaration) ? declaration.getVariableStatement() : undefined;
    const uses = Node.isIdentifier(name) ? referencesIn(rewriter.file, name) : [];
    const isGone = uses.every((one) => one.getAncestors().some((node) => gone.has(node)));
    if (statement && isGone && !statement.isExported()) edits.push(removedStatement(statement));
    else edits.push(...forwarded(handler, strict.name));
  }
  return edits;
}

/** The callback, with a call of the handler as its only statement. */
function forwarded(handler: Handler, name: string): readonly Edit[] {
  const [request, response, body] = handler.getParameters().map((one) => one.getName());
  if (request === undefined || response === undefined) return [];
  const parsed = body ?? (/\bexpress\b/.test(handler.getSourceFile().getFullText()) ? `${request}.body` : undefined);
  const option = parsed === undefined ? "" : `, { parsedBody: ${parsed} }`;
  return [replaced(handler.getBody(), `{ ${name}(${request}, ${response}${option}); }`)];
}

/** Variables that come from `toWebRequest` or `isLegacyRequest`, also through another. */
function derivedFromRequests(rewriter: FileRewriter): readonly VariableDeclaration[] {
  const found: VariableDeclaration[] = [];
  for (const declaration of rewriter.file.getDescendantsOfKind(SyntaxKind.VariableDeclaration)) {
    const value = declaration.getInitializer();
    if (!value || Node.isArrowFunction(value) || Node.isFunctionExpression(value)) continue;
    const isDerived = [value, ...value.getDescendants()].some((node) => {
      if (Node.isCallExpression(node))
        return /^(?:toWebRequest|isLegacyRequest)$/.test(rewriter.officialName(node.getExpression()) ?? "");
      return Node.isIdentifier(node) && found.some((one) => one.getSymbol() === node.getSymbol());
    });
    if (isDerived) found.push(declaration);
  }
  return found;
}

type Fork = ConditionalExpression | IfStatement;

function isFork(node: Node): node is Fork {
  return Node.isConditionalExpression(node) || Node.isIfStatement(node);
}

/** Whether the condition of a fork holds for clients before 2026-07-28; undefined if it is about something else. */
function legacyCondition(
  rewriter: FileRewriter,
  fork: Fork,
  derived: readonly VariableDeclaration[],
): boolean | undefined {
  let condition: Node = Node.isIfStatement(fork) ? fork.getExpression() : fork.getCondition();
  let isLegacy = true;
  for (;;) {
    if (Node.isParenthesizedExpression(condition) || Node.isAwaitExpression(condition))
      condition = condition.getExpression();
    else if (Node.isPrefixUnaryExpression(condition) && condition.getText().startsWith("!"))
      [condition, isLegacy] = [condition.getOperand(), !isLegacy];
    else break;
  }
  if (Node.isCallExpression(condition))
    return rewriter.officialName(condition.getExpression()) === "isLegacyRequest" ? isLegacy : undefined;
  const declaration = derived.find((one) => Node.isIdentifier(condition) && one.getSymbol() === condition.getSymbol());
  return declaration && /\bisLegacyRequest\(/.test(declaration.getText()) ? isLegacy : undefined;
}

function branchesOf(fork: Fork, isLegacy: boolean): readonly [legacy: Node | undefined, modern: Node | undefined] {
  const [yes, no] = Node.isIfStatement(fork)
    ? [fork.getThenStatement(), fork.getElseStatement()]
    : [fork.getWhenTrue(), fork.getWhenFalse()];
  return isLegacy ? [yes, no] : [no, yes];
}

function calls(branch: Node, name: string): boolean {
  return [branch, ...branch.getDescendants()].some(
    (one) => Node.isCallExpression(one) && one.getExpression().getText() === name,
  );
}

/** A branch without the arguments that come from the request that it was asked about: the handler reads the body itself. */
function withoutArguments(branch: Node, derived: readonly VariableDeclaration[]): string {
  const text = branch.getText();
  const removed = [branch, ...branch.getDescendants()].flatMap((node) => {
    const call = Node.isIdentifier(node) ? node.getParent() : undefined;
    if (!Node.isIdentifier(node) || !Node.isCallExpression(call) || callOf(node)) return [];
    return derived.some((one) => one.getSymbol() === node.getSymbol()) ? [removedItem(node, call.getArguments())] : [];
  });
  return removed.reduceRight(
    (result, { start, end }) => result.slice(0, start - branch.getStart()) + result.slice(end - branch.getStart()),
    text,
  );
}
