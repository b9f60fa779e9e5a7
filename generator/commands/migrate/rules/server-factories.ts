import {
  Node,
  type CallExpression,
  type ObjectLiteralExpression,
  type PropertyAccessExpression,
  SyntaxKind,
} from "ts-morph";
import { type Edit, type FileRewriter, indentOf, inserted, referencesIn, replaced } from "../file-rewriter.js";
import { isChanged } from "./changes.js";
import { eras } from "./client-calls.js";
import { contextAround, contextParameter } from "./context-of.js";
import { callOf, tokenInfo } from "./context-members.js";
import type { Rule } from "./rule.js";

/** Rewrites factories of servers that depend on the request, and the notifier of a handler. */
export const serverFactories: Rule = {
  id: "server-factories",
  summary:
    "Factories with a parameter are passed to `serverPerClient`; `handler.notify` becomes the methods of the server.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (Node.isCallExpression(node)) ofCall(rewriter, node);
      else if (
        Node.isPropertyAccessExpression(node) &&
        rewriter.officialType(node.getExpression()) === "McpRequestContext"
      )
        ofRequestContext(rewriter, node);
      else if (Node.isObjectBindingPattern(node) && rewriter.officialType(node.getParent()) === "McpRequestContext")
        rewriter.todo(
          node,
          `take the client as a whole: authInfo is tokenInfoOf(client), and ${eraNames}`,
          "replace-members",
        );
    });
  },
};

const eraNames = 'the era is "stateless" for "modern" and "handshake" for "legacy"';

function ofCall(rewriter: FileRewriter, call: CallExpression): void {
  const callee = rewriter.officialName(call.getExpression());
  if (callee !== "createMcpHandler" && callee !== "serveStdio") return;
  const [factory, options] = call.getArguments();
  if (!factory) return;
  if (Node.isObjectLiteralExpression(options) && callee === "createMcpHandler") dropOptions(rewriter, options);
  const notified = callee === "createMcpHandler" && rewriteNotifier(rewriter, call, factory);
  if (notified || !(callee === "createMcpHandler" ? isPerRequest(factory) : takesParameter(factory))) return;
  const wrapped = perClient(rewriter, factory);
  if (wrapped) rewriter.change(inserted(factory.getStart(), wrapped), inserted(factory.getEnd(), ")"));
  else
    rewriter.todo(
      call,
      "wrap the factory: serverPerClient(new McpServer({ name, version }), factory)",
      "replace-members",
    );
}

/** The start of a call of `serverPerClient`, up to the factory; undefined if the name of the server is not known. */
export function perClient(rewriter: FileRewriter, factory: Node, shared?: string): string | undefined {
  const info = infoOf(rewriter, factory);
  if (info === undefined) return undefined;
  rewriter.use("@mcpwright/runtime/server", "serverPerClient");
  rewriter.use("@mcpwright/runtime/server", "McpServer");
  return `serverPerClient(${shared ?? `new McpServer(${info})`}, `;
}

/** The options that all handlers of ours behave by. */
function dropOptions(rewriter: FileRewriter, options: ObjectLiteralExpression): void {
  for (const member of options.getProperties()) {
    if (!Node.isPropertyAssignment(member)) continue;
    if (member.getName() === "bus" || member.getName() === "onerror")
      rewriter.todo(
        member,
        `createMcpHandler has no option ${member.getName()}: onerror and backplane are options of McpServer`,
        "servers-and-clients",
      );
  }
}

function takesParameter(factory: Node): boolean {
  const functionNode = functionOf(factory);
  if (functionNode) return functionNode.getParameters().some((one) => !one.isOptional());
  return false;
}

/** Whether servers of a factory differ, so that one cannot serve all requests. */
function isPerRequest(factory: Node): boolean {
  return takesParameter(factory) || keepsState(factory);
}

/**
 * Whether a factory changes variables, outside of it or its own: the official SDK calls it for each request, and starts its variables again.
 */
export function keepsState(factory: Node): boolean {
  const made = functionOf(factory);
  if (!made) return false;
  return made.getDescendantsOfKind(SyntaxKind.Identifier).some((one) => {
    if (!isChanged(one)) return false;
    const [declaration] = one.getSymbol()?.getDeclarations() ?? [];
    if (!Node.isVariableDeclaration(declaration)) return false;
    const scopes = one.getAncestors().filter((around) => Node.isFunctionLikeDeclaration(around));
    // What a factory does itself, or what its functions do with its own variables.
    return declaration.getAncestors().includes(made)
      ? functionAround(declaration) === made && scopes[0] !== made
      : scopes[0] === made;
  });
}

function functionAround(node: Node): Node | undefined {
  return node.getAncestors().find((one) => Node.isFunctionLikeDeclaration(one));
}

/** The function that a factory is, or names. */
function functionOf(factory: Node) {
  if (Node.isArrowFunction(factory) || Node.isFunctionExpression(factory)) return factory;
  if (!Node.isIdentifier(factory)) return undefined;
  const symbol = factory.getSymbol();
  const declaration = (symbol?.getAliasedSymbol() ?? symbol)?.getValueDeclaration();
  if (Node.isFunctionDeclaration(declaration)) return declaration;
  const value = Node.isVariableDeclaration(declaration) ? declaration.getInitializer() : undefined;
  return Node.isArrowFunction(value) || Node.isFunctionExpression(value) ? value : undefined;
}

/** The literal info of the only kind of server that a factory makes, itself or in a function that it calls. */
function infoOf(rewriter: FileRewriter, factory: Node, depth = 0): string | undefined {
  const functionNode = functionOf(factory);
  if (!functionNode || depth > 3) return undefined;
  const infos = new Set<string>();
  functionNode.forEachDescendant((node) => {
    if (Node.isNewExpression(node) && rewriter.officialName(node.getExpression()) === "McpServer") {
      const [info] = node.getArguments();
      const isConstant =
        Node.isObjectLiteralExpression(info) &&
        info
          .getProperties()
          .every((one) => Node.isPropertyAssignment(one) && Node.isStringLiteral(one.getInitializer()));
      infos.add(isConstant ? info.getText() : "");
    } else if (Node.isCallExpression(node) && Node.isIdentifier(node.getExpression())) {
      const inner = infoOf(rewriter, node.getExpression(), depth + 1);
      if (inner !== undefined) infos.add(inner);
    }
  });
  const [info] = infos;
  return infos.size === 1 && info !== "" ? info : undefined;
}

/** `reqCtx.era`, `reqCtx.authInfo`. */
function ofRequestContext(rewriter: FileRewriter, node: PropertyAccessExpression): void {
  if (node.getName() === "authInfo") tokenInfo(rewriter, node, node.getExpression());
  if (node.getName() !== "era") return;
  const comparison = node.getParent();
  const other = Node.isBinaryExpression(comparison)
    ? comparison.getLeft() === node
      ? comparison.getRight()
      : comparison.getLeft()
    : undefined;
  const literal = Node.isStringLiteral(other) ? other.getLiteralValue() : "";
  if (Object.values(eras).includes(literal)) return;
  const value = Object.hasOwn(eras, literal) ? eras[literal] : undefined;
  // In a callback, the context of the request knows it, also over stdio.
  const context = contextAround(rewriter, node);
  const parameter = context === undefined ? contextParameter(rewriter, node) : undefined;
  if (parameter) {
    rewriter.change(parameter);
    return;
  }
  if (!Node.isBinaryExpression(comparison) || !other || value === undefined) {
    const isHandshake =
      context === undefined ? `${node.getText()} === ${rewriter.string("handshake")}` : `${context}.session`;
    const isSpan = Node.isTemplateSpan(comparison);
    const era = `${isHandshake} ? ${rewriter.string("legacy")} : ${rewriter.string("modern")}`;
    const isValue = isSpan || Node.isCallExpression(comparison) || Node.isPropertyAssignment(comparison);
    if (Node.isSwitchStatement(comparison) || (context === undefined && isOverStdio(rewriter)))
      rewriter.todo(node, eraNames, "replace-members");
    else rewriter.change(replaced(node, isValue ? era : `(${era})`));
    return;
  }
  const isEqual = comparison.getOperatorToken().getText().startsWith("=");
  if (context !== undefined) {
    const isHandshake = (value === "handshake") === isEqual;
    rewriter.change(replaced(comparison, `${context}.session ${isHandshake ? "!==" : "==="} undefined`));
    return;
  }
  rewriter.change(replaced(other, rewriter.string(value)));
  if (isOverStdio(rewriter))
    rewriter.todo(
      node,
      "over stdio, era is undefined here: decide in a callback, by context.session",
      "replace-members",
    );
}

function isOverStdio({ file }: FileRewriter): boolean {
  return file.getFullText().includes("serveStdio");
}

const notified: Readonly<Record<string, string>> = {
  toolsChanged: "sendToolListChanged",
  promptsChanged: "sendPromptListChanged",
  resourcesChanged: "sendResourceListChanged",
};

/**
 * `handler.notify.toolsChanged()` becomes a method of the server that the handler serves.
 * @returns whether the factory is rewritten, too
 */
function rewriteNotifier(rewriter: FileRewriter, call: CallExpression, factory: Node): boolean {
  const declaration = call.getParent();
  const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
  if (!Node.isVariableDeclaration(declaration) || !Node.isIdentifier(name)) return false;
  const uses = referencesIn(rewriter.file, name).flatMap((one) => {
    const access = one.getParent();
    return Node.isPropertyAccessExpression(access) && access.getName() === "notify" ? [access] : [];
  });
  const statement = declaration.getVariableStatement();
  if (uses.length === 0) return false;
  const server = "servedServer";
  const edits = uses.map((use) => announcement(use, server));
  const info = isPerRequest(factory) ? infoOf(rewriter, factory) : "";
  if (!statement || !functionOf(factory) || info === undefined || edits.some((one) => one === undefined)) {
    for (const use of uses)
      rewriter.todo(
        use,
        "call sendToolListChanged or sendResourceUpdated({ uri }) of the server that you pass to createMcpHandler",
        "replace-members",
      );
    return false;
  }
  const all = edits.filter((one) => one !== undefined);
  const indent = indentOf(statement);
  if (isPerRequest(factory)) {
    rewriter.change(
      inserted(statement.getStart(), `const ${server} = new McpServer(${info});\n${indent}`),
      inserted(factory.getStart(), perClient(rewriter, factory, server) ?? ""),
      inserted(factory.getEnd(), ")"),
      ...all,
    );
    return true;
  }
  // The factory moves, with the announcements inside of it.
  const [inside, outside] = [all.filter((one) => isIn(one, factory)), all.filter((one) => !isIn(one, factory))];
  const moved = inside.reduceRight(
    (text, { start, end, text: to }) =>
      text.slice(0, start - factory.getStart()) + to + text.slice(end - factory.getStart()),
    factory.getText(),
  );
  const made = Node.isIdentifier(factory) ? `${moved}()` : `(${moved})()`;
  rewriter.change(
    inserted(statement.getStart(), `const ${server} = ${made};\n${indent}`),
    replaced(factory, server),
    ...outside,
  );
  return true;
}

function isIn({ start, end }: Edit, node: Node): boolean {
  return node.getStart() <= start && end <= node.getEnd();
}

/** The call of the server's method in place of one of `handler.notify`. */
function announcement(notifier: Node, server: string): Edit | undefined {
  const access = notifier.getParent();
  const called = Node.isPropertyAccessExpression(access) ? callOf(access) : undefined;
  if (!called || !Node.isPropertyAccessExpression(access)) return undefined;
  const method = access.getName();
  if (method === "resourceUpdated") {
    const uri = called.getArguments()[0]?.getText() ?? "";
    return replaced(called, `${server}.sendResourceUpdated({ ${uri === "uri" ? uri : `uri: ${uri}`} })`);
  }
  const to = Object.hasOwn(notified, method) ? notified[method] : undefined;
  return to === undefined ? undefined : replaced(called, `${server}.${to}()`);
}
